import { type Import, type Mode, Stop } from '#server/modules/transfer/imports/uploads.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import type { ProblemSink } from './problem-sink.ts'

/** Counts the rows of an import and writes the counts to its row, where the page reads them. */
export function createProgress({ db, clock }: Services, record: Import, mode: Mode, sink: ProblemSink) {
  const counts = { new: 0, changed: 0, unchanged: 0, wrong: 0 }
  let rowsDone = 0
  const countColumns = () => ({
    rowsDone,
    rowsNew: counts.new,
    rowsChanged: counts.changed,
    rowsUnchanged: counts.unchanged,
    rowsWrong: counts.wrong,
    problems: sink.counts.problem,
    warnings: sink.counts.warning,
  })

  return {
    counts,
    rowsDone: () => rowsDone,
    addRows(rows: number) {
      rowsDone += rows
    },

    /** Writes the progress and the heartbeat; throws `Stop` if the import was cancelled. */
    async write(percent: number) {
      const { cancelRequested } = await db
        .updateTable('imports')
        .set({
          heartbeatAt: clock.now(),
          percent: Math.max(0, Math.min(99, Math.floor(percent))),
          ...countColumns(),
        })
        .where('id', '=', record.id)
        .where('status', 'in', ['checking', 'running'])
        .returning('cancelRequested')
        .executeTakeFirstOrThrow(() => new Stop('interrupted'))
      if (cancelRequested) throw new Stop('cancelled')
    },

    /** Writes the result; returns false if the import was cancelled meanwhile. */
    async finish(target: Db) {
      const now = clock.now()
      const { numUpdatedRows } = await target
        .updateTable('imports')
        .set({
          status: mode === 'check' ? 'checked' : 'done',
          failure: null,
          percent: 100,
          rowsTotal: rowsDone,
          ...countColumns(),
          ...(mode === 'check' ? { checkedAt: now } : { finishedAt: now }),
        })
        .where('id', '=', record.id)
        .where('status', '=', mode === 'check' ? 'checking' : 'running')
        .where('cancelRequested', '=', false)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
  }
}
