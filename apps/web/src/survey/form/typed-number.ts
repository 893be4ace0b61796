/** Parses a number in Indonesian notation: `1.500` and `1500` are equal, and a comma starts the decimals. */
export function numberOf(typed: string): number | string | undefined {
  const text = typed.replace(/\s/g, '')
  if (text === '') return undefined
  const plain = /^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(text) ? text.replaceAll('.', '') : text
  const value = Number(plain.replace(',', '.'))
  return Number.isFinite(value) ? value : typed
}

/** Formats a number as `numberOf` parses it. */
export const typedNumber = (answer: unknown) =>
  typeof answer === 'number' ? String(answer).replace('.', ',') : typeof answer === 'string' ? answer : ''
