import { inBothLanguages, type Sentence } from '#server/modules/transfer/imports/problems.ts'
import type { SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { sentences } from '#server/platform/text.ts'
import type { PlacedColumn } from './place-columns.ts'
import { cellText } from './score-file.ts'

/** A problem of a row, with the column it concerns. */
export type ScoreProblem = {
  row: number
  letter: string | null
  header: string | null
  value: string | null
  reason: Sentence
}

type ProblemKey =
  | 'nobody'
  | 'unknown'
  | 'other_wave'
  | 'not_taking_part'
  | 'no_seat'
  | 'other_session'
  | 'other_name'
  | 'session_ahead'
  | 'absent'
  | 'absent_in_file'
  | 'not_a_number'
  | 'ambiguous'
  | 'number_cut'
  | 'outside'
  | 'not_tested'
  | 'twice'
  | 'package_long'

export const scoreProblem = (
  line: SheetLine,
  column: PlacedColumn | undefined,
  key: ProblemKey,
  params: Record<string, unknown> = {},
): ScoreProblem => ({
  row: line.number,
  letter: column?.letter ?? null,
  header: column?.header ?? null,
  value: column ? cellText(line, column.index).slice(0, 200) || null : null,
  reason: inBothLanguages((language) => sentences(language)(`scores:problem.${key}`, params)),
})

/** A problem of a whole row. */
export const problemOfRow = ({ number }: SheetLine, reason: Sentence): ScoreProblem => ({
  ...{ row: number, letter: null, header: null, value: null, reason },
})
