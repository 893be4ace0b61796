/**
 * Parses a number such as `1.500,5` (Indonesian notation) or `1500.5`; undefined if blank. Returns text that is not a
 * number unchanged, so that `answerProblems` refuses it.
 */
export function numberOf(typed: string): number | string | undefined {
  const text = typed.replace(/\s/g, '')
  if (text === '') return undefined
  const plain = /^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(text) ? text.replaceAll('.', '') : text
  const decimal = plain.replace(',', '.')
  // Otherwise `Number` would read `0x10` as 16 and `1e3` as 1000.
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(decimal) ? Number(decimal) : typed
}

/** Inverse of `numberOf`: the text to show in the field for this answer. Empty without an answer. */
export const typedNumber = (answer: unknown) =>
  typeof answer === 'number' ? String(answer).replace('.', ',') : typeof answer === 'string' ? answer : ''
