/** `uploaded → checked → done → undone`. A check may be repeated until the import is written. */
export const scoreImportStatuses = ['uploaded', 'checked', 'done', 'undone'] as const
export type ScoreImportStatus = (typeof scoreImportStatuses)[number]

/** Most rows of a score file. */
export const maxScoreRows = 50_000

/** What an import would do with a score. */
export const lineActions = ['new', 'changed', 'unchanged'] as const

type Facts = {
  status: ScoreImportStatus
  rows: { wrong: number; unconfirmed: number }
  scores: { new: number; changed: number }
}

/** Whether a checked import may be written; `leavesOut` drops rows with problems and unconfirmed ones. */
export const mayWrite = ({ status, rows, scores }: Facts, leavesOut: boolean) =>
  status === 'checked' && scores.new + scores.changed > 0 && (leavesOut || (rows.wrong === 0 && rows.unconfirmed === 0))
