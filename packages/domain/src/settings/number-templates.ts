export const numberKinds = ['registrationNumber', 'billNumber', 'receiptNumber', 'studentNumber'] as const
export type NumberKind = (typeof numberKinds)[number]

/** Maximum length of a token's text. Master data codes have at most ten characters; `month` is a Roman numeral. */
const tokenLengths = { YYYY: 4, YY: 2, wave: 10, track: 10, level: 10, faculty: 10, prodi: 10, month: 4 } as const
export type NumberToken = keyof typeof tokenLengths

export type NumberRules = {
  tokens: readonly NumberToken[]
  /** Maximum length in the database. */
  longest: number
  /** The count restarts every year, so the number must contain the year. */
  yearly?: true
}

/** Numbers for refunds, receipts for paper copies and commission payouts have no setting. */
export const refundNumber = 'RF-{YYYY}-{SEQ:6}'
export const paperReceiptNumber = 'TTB-{YYYY}-{SEQ:5}'
export const payoutNumber = 'KMS-{YYYY}-{SEQ:4}'

/** Allowed tokens and maximum length of each number. */
export const numberRules: Record<NumberKind, NumberRules> = {
  registrationNumber: { tokens: ['YYYY', 'YY', 'wave', 'track'], longest: 30 },
  billNumber: { tokens: ['YYYY', 'YY'], longest: 40, yearly: true },
  receiptNumber: { tokens: ['YYYY', 'YY'], longest: 40, yearly: true },
  studentNumber: { tokens: ['YYYY', 'YY', 'faculty', 'prodi', 'level', 'wave', 'track'], longest: 30 },
}

/** Allowed digits for a template's running number. */
export const sequenceDigits = { least: 3, most: 9 } as const
/** Digits a running number can reach in a year: ten million numbers. */
const maxSequenceDigits = 7

const tokenPattern = /\{([^{}]*)\}/g
const sequencePattern = /^SEQ:(\d{1,2})$/

export type TemplateProblem =
  | { code: 'number_token_unknown'; params: { token: string; allowed: string } }
  | { code: 'number_needs_sequence'; params: { least: number; most: number } }
  | { code: 'number_needs_year' }
  | { code: 'number_characters' }
  | { code: 'number_too_long'; params: { longest: number; length: number } }

/** First problem of a template, or undefined. */
export const templateProblem = (kind: NumberKind, template: string) => problemOfNumber(numberRules[kind], template)

/** First problem of a template under the rules of its number, or undefined. */
export function problemOfNumber(
  { tokens, longest, yearly }: NumberRules,
  template: string,
): TemplateProblem | undefined {
  const tokenNames = [...template.matchAll(tokenPattern)].map(([, name]) => name!)
  const unknownToken = tokenNames.find(
    (name) => !sequencePattern.test(name) && !(tokens as readonly string[]).includes(name),
  )
  if (unknownToken !== undefined)
    return {
      code: 'number_token_unknown',
      params: { token: `{${unknownToken}}`, allowed: [...tokens.map((name) => `{${name}}`), '{SEQ:5}'].join(' ') },
    }
  const [digits, ...furtherDigits] = tokenNames.flatMap((name) => sequencePattern.exec(name)?.[1] ?? []).map(Number)
  const { least, most } = sequenceDigits
  if (digits === undefined || furtherDigits.length > 0 || digits < least || digits > most)
    return { code: 'number_needs_sequence', params: { least, most } }
  if (!/^[A-Za-z0-9./_-]*$/.test(template.replace(tokenPattern, ''))) return { code: 'number_characters' }
  if (yearly && !tokenNames.some((name) => name === 'YYYY' || name === 'YY')) return { code: 'number_needs_year' }
  const length = tokenNames.reduce(
    (sum, name) => sum + (tokenLengths[name as NumberToken] ?? Math.max(digits, maxSequenceDigits)),
    template.replace(tokenPattern, '').length,
  )
  if (length > longest) return { code: 'number_too_long', params: { longest, length } }
  return undefined
}

const samples: Record<NumberToken, string> = {
  YYYY: '2026',
  YY: '26',
  wave: 'G1',
  track: 'REG',
  level: 'S1',
  faculty: 'FT',
  prodi: '55201',
  month: 'XI',
}

/** Example of a number from the template. */
export const sampleNumber = (template: string, sequenceNumber = 1) =>
  template.replace(tokenPattern, (token, name: string) => {
    const digits = sequencePattern.exec(name)?.[1]
    return digits ? String(sequenceNumber).padStart(Number(digits), '0') : (samples[name as NumberToken] ?? token)
  })

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Regular expression for all numbers of a template, with three groups: before, in and after the running number. */
export function patternOf(template: string): string {
  const parts = template.split(tokenPattern)
  let [head, tail, digits] = ['', '', '1']
  let sequencePassed = false
  for (const [index, text] of parts.entries()) {
    const sequenceLength = index % 2 === 1 ? sequencePattern.exec(text)?.[1] : undefined
    if (sequenceLength) {
      digits = sequenceLength
      sequencePassed = true
      continue
    }
    const expression =
      index % 2 === 0 ? escapeRegExp(text) : text === 'YYYY' ? '\\d{4}' : text === 'YY' ? '\\d{2}' : '[A-Za-z0-9 ._/-]+'
    if (sequencePassed) tail += expression
    else head += expression
  }
  return `^(${head})(\\d{${digits},})(${tail})$`
}
