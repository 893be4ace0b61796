import { type ColumnMapping, headingKey, type ScoreMapping } from '#domain/scores/mapping.ts'
import { invalid } from '#server/platform/errors.ts'
import { columnLetter } from '#server/platform/sheets/columns.ts'

/** A mapped column with its position in the file. */
export type PlacedColumn = ColumnMapping & { index: number; letter: string }

type Kind = ColumnMapping['as']

/** Columns of the file by content; 422 if the file lacks one. */
export function placeColumns(mapping: ScoreMapping, headers: readonly string[]) {
  const keys = headers.map(headingKey)
  const placed = mapping.map((column): PlacedColumn => {
    const index = keys.indexOf(headingKey(column.header))
    if (index < 0) throw invalid({ mapping: { code: 'mapping_column_missing', params: { header: column.header } } })
    return { ...column, index, letter: columnLetter(index) }
  })
  const one = (kind: Kind) => placed.find(({ as }) => as === kind)
  return {
    code: one('code'),
    number: one('number'),
    name: one('name'),
    birthDate: one('birthDate'),
    package: one('package'),
    attendance: one('attendance'),
    scores: placed.filter((column) => column.as === 'score'),
    parts: placed.filter((column) => column.as === 'part'),
  }
}
export type PlacedColumns = ReturnType<typeof placeColumns>
