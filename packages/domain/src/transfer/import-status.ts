import type { WorkbookStatus } from '#domain/workbook/status.ts'

/** `checking → checked → running → done`; ends `failed` and `cancelled`, from which a file may be checked again. */
export const importStatuses = ['checking', 'checked', 'running', 'done', 'failed', 'cancelled'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** A warning does not stop a row. */
export const problemLevels = ['problem', 'warning'] as const
export type ProblemLevel = (typeof problemLevels)[number]

/** Why an import failed as a whole; problems of single rows are listed separately. */
export const importFailures = [
  'unreadable',
  'too_big_inside',
  'too_many_rows',
  'too_many_columns',
  'text_too_long',
  'took_too_long',
  'no_rows',
  'no_known_column',
  'column_twice',
  'key_column_missing',
  'rows_refused',
  'interrupted',
  'internal',
] as const
export type ImportFailure = (typeof importFailures)[number]

/** Whether a job is working on an import or workbook with this status. */
export const isWorking = (status: ImportStatus | WorkbookStatus) => status === 'checking' || status === 'running'

type Facts = { status: ImportStatus; rows: { total: number | null; new: number; changed: number; wrong: number } }

/** Whether the checked file may be written unchanged. */
export const mayRun = ({ status, rows }: Facts) =>
  status === 'checked' && rows.wrong === 0 && rows.new + rows.changed > 0

export const mayCheckAgain = ({ status, hasFile }: { status: ImportStatus; hasFile: boolean }) =>
  hasFile && (status === 'checked' || status === 'failed' || status === 'cancelled')
