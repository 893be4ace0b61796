import type { Tx } from '#server/platform/database/database.ts'

/**
 * Pins the score runs behind the adopted selections of a wave and track; a pinned run never changes. Called in the
 * transaction that publishes the results. Safe to repeat.
 */
export const pinScoreRun = (tx: Tx, waveId: string, trackId: string, now: Date) =>
  tx
    .updateTable('scoreRuns')
    .set({ pinnedAt: now })
    .where('pinnedAt', 'is', null)
    .where((eb) => eb.or([eb('trackId', 'is', null), eb('trackId', '=', trackId)]))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('selectionRuns')
        .select('scoreRunId')
        .where('waveId', '=', waveId)
        .where('status', '=', 'adopted')
        .where('scoreRunId', 'is not', null)
        .$castTo<{ scoreRunId: string }>(),
    )
    .execute()
