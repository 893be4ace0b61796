import { shareOf, wholeInBasisPoints } from '#domain/rounding.ts'

/** Steps an amount may be rounded to, in rupiah. */
export const roundingSteps = [1, 1_000, 10_000, 50_000] as const
export type RoundingStep = (typeof roundingSteps)[number]

/** A rise (or, negative, a fall) in hundredths of a percent, rounded to a step. */
export type Adjustment = { basisPoints: number; roundTo: RoundingStep }

export const noAdjustment: Adjustment = { basisPoints: 0, roundTo: 1 }

/**
 * The amount raised by the percentage and rounded to the nearest step, halves up. Nothing stays nothing, and something
 * is never rounded down to nothing. Reckoned in whole numbers throughout.
 */
export function adjustAmount(amount: number, { basisPoints, roundTo }: Adjustment): number {
  if (amount <= 0) return amount
  const rounded = shareOf(amount, wholeInBasisPoints + basisPoints, roundTo * wholeInBasisPoints) * roundTo
  return rounded > 0 ? rounded : roundTo
}

const indonesian = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,0{1,2})?$/
const english = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.0{1,2})?$/

/** What somebody typed or pasted as an amount: whole rupiah, null when empty, undefined when it is no amount. */
export function readAmount(typed: string): number | null | undefined {
  const text = typed.replace(/[\s\u00a0]/g, '').replace(/^(rp|idr)\.?/i, '')
  if (text === '' || text === '-' || text === '–') return null
  const whole = indonesian.exec(text)?.[1] ?? english.exec(text)?.[1]
  if (whole === undefined) return undefined
  const amount = Number(whole.replace(/[.,]/g, ''))
  return amount <= 1_000_000_000_000 ? amount : undefined
}

/** Rows and columns of a block copied from a spreadsheet. */
export const readBlock = (text: string): string[][] =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'))
