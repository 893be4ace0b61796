import pg from 'pg'

export type MaintenanceRun = {
  kind: 'backup' | 'restore_test' | 'update'
  startedAt: Date
  /** Now if absent. */
  finishedAt?: Date
  ok: boolean
  /** Facts of the kind: `archive` and `rows` of a backup; `problem` is a sentence where the run failed. */
  detail: Record<string, unknown>
  /** Bytes written or read. */
  size?: number | undefined
}

/** Writes a finished run into `maintenance_runs`; does nothing in a database that has no such table yet. */
export async function recordRun(
  connectionString: string,
  { kind, startedAt, finishedAt, ok, detail, size }: MaintenanceRun,
) {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ found: boolean }>(
      "SELECT to_regclass('public.maintenance_runs') IS NOT NULL AS found",
    )
    if (rows[0]!.found)
      await client.query(
        `INSERT INTO maintenance_runs (kind, started_at, finished_at, ok, detail, size)
         VALUES ($1, $2, greatest(coalesce($6, now()), $2), $3, $4, $5)`,
        [kind, startedAt, ok, JSON.stringify(detail), size ?? null, finishedAt ?? null],
      )
  } finally {
    await client.end()
  }
}
