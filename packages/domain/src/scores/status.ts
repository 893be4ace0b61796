/** `uploaded → checked → done → undone`; a check may be repeated before the writing. */
export const scoreImportStatuses = ['uploaded', 'checked', 'done', 'undone'] as const
export type ScoreImportStatus = (typeof scoreImportStatuses)[number]

/** Most rows of a file of scores. */
export const maxScoreRows = 50_000

/** What an import would do to a score. */
export const lineActions = ['new', 'changed', 'unchanged'] as const

type Facts = {
  status: ScoreImportStatus
  rows: { wrong: number; unconfirmed: number }
  scores: { new: number; changed: number }
}

/** Whether a checked import may be written; `leavesOut` drops the rows with a problem and the unconfirmed ones. */
export const mayWrite = ({ status, rows, scores }: Facts, leavesOut: boolean) =>
  status === 'checked' && scores.new + scores.changed > 0 && (leavesOut || (rows.wrong === 0 && rows.unconfirmed === 0))
