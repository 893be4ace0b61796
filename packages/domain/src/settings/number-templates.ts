export const numberKinds = ['registrationNumber', 'billNumber', 'receiptNumber', 'studentNumber'] as const
export type NumberKind = (typeof numberKinds)[number]

/** Longest text a token can become; codes of master data are at most ten characters. */
const tokenLengths = { YYYY: 4, YY: 2, wave: 10, track: 10, level: 10, faculty: 10, prodi: 10 } as const
export type NumberToken = keyof typeof tokenLengths

type Rules = {
  tokens: readonly NumberToken[]
  /** Length of the column the number is kept in. */
  longest: number
  /** Counted anew every year, so the year must be part of the number. */
  yearly?: true
}

/** Refunds have no template of their own to choose. */
export const refundNumber = 'RF-{YYYY}-{SEQ:6}'

/** What each number may be made of. */
export const numberRules: Record<NumberKind, Rules> = {
  registrationNumber: { tokens: ['YYYY', 'YY', 'wave', 'track'], longest: 30 },
  billNumber: { tokens: ['YYYY', 'YY'], longest: 40, yearly: true },
  receiptNumber: { tokens: ['YYYY', 'YY'], longest: 40, yearly: true },
  studentNumber: { tokens: ['YYYY', 'YY', 'faculty', 'prodi', 'level', 'wave', 'track'], longest: 30 },
}

/** Digits of the running number a template may ask for. */
export const sequenceDigits = { least: 3, most: 9 } as const
/** No year has more than this many numbers: ten million. */
const possibleDigits = 7

const part = /\{([^{}]*)\}/g
const sequence = /^SEQ:(\d{1,2})$/

export type TemplateProblem =
  | { code: 'number_token_unknown'; params: { token: string; allowed: string } }
  | { code: 'number_needs_sequence'; params: { least: number; most: number } }
  | { code: 'number_needs_year' }
  | { code: 'number_characters' }
  | { code: 'number_too_long'; params: { longest: number; length: number } }

/** The first thing that is wrong with a template, or nothing. */
export function templateProblem(kind: NumberKind, template: string): TemplateProblem | undefined {
  const { tokens, longest, yearly } = numberRules[kind]
  const inside = [...template.matchAll(part)].map(([, name]) => name!)
  const unknown = inside.find((name) => !sequence.test(name) && !(tokens as readonly string[]).includes(name))
  if (unknown !== undefined)
    return {
      code: 'number_token_unknown',
      params: { token: `{${unknown}}`, allowed: [...tokens.map((name) => `{${name}}`), '{SEQ:5}'].join(' ') },
    }
  const digits = inside.flatMap((name) => sequence.exec(name)?.[1] ?? []).map(Number)
  const { least, most } = sequenceDigits
  if (digits.length !== 1 || digits[0]! < least || digits[0]! > most)
    return { code: 'number_needs_sequence', params: { least, most } }
  if (!/^[A-Za-z0-9./_-]*$/.test(template.replace(part, ''))) return { code: 'number_characters' }
  if (yearly && !inside.some((name) => name === 'YYYY' || name === 'YY')) return { code: 'number_needs_year' }
  const length = inside.reduce(
    (sum, name) => sum + (tokenLengths[name as NumberToken] ?? Math.max(digits[0]!, possibleDigits)),
    template.replace(part, '').length,
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
}

/** What the numbers will look like, for a running number of your choice. */
export const sampleNumber = (template: string, running = 1) =>
  template.replace(part, (whole, name: string) => {
    const digits = sequence.exec(name)?.[1]
    return digits ? String(running).padStart(Number(digits), '0') : (samples[name as NumberToken] ?? whole)
  })

const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Pattern of every number a template can make, in three groups: before the running number, itself, and after it. */
export function patternOf(template: string): string {
  const parts = template.split(part)
  let [before, after, digits] = ['', '', '1']
  let seen = false
  for (const [index, text] of parts.entries()) {
    const running = index % 2 === 1 ? sequence.exec(text)?.[1] : undefined
    if (running) {
      digits = running
      seen = true
      continue
    }
    const expression =
      index % 2 === 0 ? plain(text) : text === 'YYYY' ? '\\d{4}' : text === 'YY' ? '\\d{2}' : '[A-Za-z0-9 ._/-]+'
    if (seen) after += expression
    else before += expression
  }
  return `^(${before})(\\d{${digits},})(${after})$`
}
