import { shareOf, wholeInBasisPoints } from '#domain/rounding.ts'

/** Steps an amount may be rounded to, in rupiah. */
export const roundingSteps = [1, 1_000, 10_000, 50_000] as const
export type RoundingStep = (typeof roundingSteps)[number]

/** An increase (negative: decrease) in hundredths of a percent, rounded to a step. */
export type Adjustment = { basisPoints: number; roundTo: RoundingStep }

export const noAdjustment: Adjustment = { basisPoints: 0, roundTo: 1 }

/**
 * Raises an amount by the percentage and rounds to the nearest step, halves up. 0 stays 0, and a positive amount never
 * becomes 0. Calculates in integers.
 */
export function adjustAmount(amount: number, { basisPoints, roundTo }: Adjustment): number {
  if (amount <= 0) return amount
  const rounded = shareOf(amount, wholeInBasisPoints + basisPoints, roundTo * wholeInBasisPoints) * roundTo
  return rounded > 0 ? rounded : roundTo
}

const indonesianAmount = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,0{1,2})?$/
const englishAmount = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.0{1,2})?$/

/** Parses a typed or pasted amount in whole rupiah: null if empty, undefined if invalid. */
export function readAmount(input: string): number | null | undefined {
  const text = input.replace(/[\s\u00a0]/g, '').replace(/^(rp|idr)\.?/i, '')
  if (text === '' || text === '-' || text === '–') return null
  const groupedDigits = indonesianAmount.exec(text)?.[1] ?? englishAmount.exec(text)?.[1]
  if (groupedDigits === undefined) return undefined
  const amount = Number(groupedDigits.replace(/[.,]/g, ''))
  return amount <= 1_000_000_000_000 ? amount : undefined
}

/** Rows and columns of a block copied from a spreadsheet. */
export const readBlock = (text: string): string[][] =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'))
