/**
 * `checking → checked → running → done → undone`; ends `failed`. A run that finds the data changed returns to
 * `checked`.
 */
export const workbookStatuses = ['checking', 'checked', 'running', 'done', 'undone', 'failed'] as const
export type WorkbookStatus = (typeof workbookStatuses)[number]

/** Why nothing was written, apart from problems in single cells. */
export const workbookFailures = [
  'unreadable',
  'too_big_inside',
  'too_many_rows',
  'too_many_columns',
  'text_too_long',
  'took_too_long',
  'no_rows',
  'changed_since_check',
  'interrupted',
  'internal',
] as const
export type WorkbookFailure = (typeof workbookFailures)[number]

/** Most rows of all sheets together. */
export const maxWorkbookRows = 20_000

/** Statuses in which nothing was written and no job is working on the workbook. */
export const discardable: readonly WorkbookStatus[] = ['checked', 'failed']

type Facts = { status: WorkbookStatus; problems: number; rows: { new: number; changed: number } }

/** Whether the checked workbook may be written. */
export const mayWrite = ({ status, problems, rows }: Facts) =>
  status === 'checked' && problems === 0 && rows.new + rows.changed > 0
