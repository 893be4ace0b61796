/**
 * Parses a number in Indonesian notation: `1.500` and `1500` are equal, and a comma starts the decimals. Blank text
 * gives undefined. Text that is no number is returned as typed, so that `answerProblems` refuses it.
 */
export function numberOf(typed: string): number | string | undefined {
  const text = typed.replace(/\s/g, '')
  if (text === '') return undefined
  const plain = /^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(text) ? text.replaceAll('.', '') : text
  const value = Number(plain.replace(',', '.'))
  return Number.isFinite(value) ? value : typed
}

/** Text from which `numberOf` parses this answer; empty without an answer. */
export const typedNumber = (answer: unknown) =>
  typeof answer === 'number' ? String(answer).replace('.', ',') : typeof answer === 'string' ? answer : ''
