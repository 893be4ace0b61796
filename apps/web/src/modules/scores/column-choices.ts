import type { ColumnKind, ColumnMapping, ScoreMapping } from '#domain/scores/mapping.ts'

/** Choice for one column: `code`, `score:<testId>`, `part:<testId>` with the part's name, or nothing. */
export type ColumnChoice = { holds: string; part: string }

export const plainKinds = [
  'code',
  'number',
  'name',
  'birthDate',
  'package',
  'attendance',
] as const satisfies ColumnKind[]

const ignored: ColumnChoice = { holds: '', part: '' }

/** Choices of a stored mapping, by column position. */
export function choicesOf(headers: readonly string[], mapping: ScoreMapping): ColumnChoice[] {
  return headers.map((header) => {
    const column = mapping.find((one) => one.header === header)
    if (!column) return ignored
    if (column.as === 'score') return { holds: `score:${column.testId}`, part: '' }
    return column.as === 'part' ? { holds: `part:${column.testId}`, part: column.part } : { holds: column.as, part: '' }
  })
}

/** Builds the mapping from the choices. A part without a name gets its column's heading. */
export function mappingOf(headers: readonly string[], choices: readonly ColumnChoice[]): ScoreMapping {
  return headers.flatMap((header, index): ColumnMapping[] => {
    const { holds, part } = choices[index] ?? ignored
    const [kind, testId = ''] = holds.split(':')
    if (kind === 'score') return [{ header, as: 'score', testId }]
    if (kind === 'part') return [{ header, as: 'part', testId, part: part.trim() || header.slice(0, 40) }]
    const plain = plainKinds.find((one) => one === kind)
    return plain && header !== '' ? [{ header, as: plain }] : []
  })
}
