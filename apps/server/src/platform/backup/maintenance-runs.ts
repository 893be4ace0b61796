import pg from 'pg'

export type MaintenanceRun = {
  kind: 'backup' | 'restore_test' | 'update'
  startedAt: Date
  finishedAt: Date
  ok: boolean
  /** Details of this kind of run; `problem` is a sentence if the run failed. */
  detail: Record<string, unknown>
  /** Bytes written or read. */
  size: number | null
}

/** Records a finished run for /settings/health. `connectionString` is the owner's login. */
export async function recordMaintenance(connectionString: string, run: MaintenanceRun) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(
      'INSERT INTO maintenance_runs (kind, started_at, finished_at, ok, detail, size) VALUES ($1, $2, $3, $4, $5, $6)',
      [run.kind, run.startedAt, run.finishedAt, run.ok, JSON.stringify(run.detail), run.size],
    )
  } finally {
    await client.end()
  }
}
