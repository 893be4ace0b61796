import type { ScoreRow } from '#domain/scores/endpoints.ts'

/** Parses `78`, `78.5` or `78,5`; null for an empty text, undefined for anything else. */
export function readTyped(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^\d{1,4}([.,]\d{1,2})?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : undefined
}

const toText = (score: number | null) => (score === null ? '' : String(score).replace('.', ','))

/** Input texts of a row: the score, or the marks of three assessors. */
export const textsOf = ({ score, marks }: ScoreRow, assessed: boolean): string[] =>
  assessed ? marks.map(toText) : [toText(score)]

/** Whether the texts equal the stored row. */
export const isSaved = (row: ScoreRow, texts: readonly string[], assessed: boolean) =>
  texts.every((text, index) => readTyped(text) === ((assessed ? row.marks[index] : row.score) ?? null))
