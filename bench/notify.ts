import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'

const connections = 2
const seconds = 5
const rounds = 3

/** A business transaction: changes a row and writes an entry. */
async function transact(client: pg.Client, row: number, notifies: boolean) {
  await client.query('BEGIN')
  await client.query({ name: 'change', text: 'UPDATE bench_rows SET value = value + 1 WHERE id = $1', values: [row] })
  await client.query({ name: 'note', text: 'INSERT INTO bench_entries (row_id, at) VALUES ($1, now())', values: [row] })
  if (notifies) await client.query({ name: 'tell', text: "SELECT pg_notify('bench', $1)", values: [String(row)] })
  await client.query('COMMIT')
}

async function commitsPerSecond(clients: readonly pg.Client[], notifies: boolean) {
  const endMs = performance.now() + seconds * 1_000
  const counts = await Promise.all(
    clients.map(async (client, index) => {
      let count = 0
      for (; performance.now() < endMs; count++) await transact(client, index * 1_000 + (count % 1_000), notifies)
      return count
    }),
  )
  return Math.round(counts.reduce((sum, count) => sum + count, 0) / seconds)
}

/**
 * Commits per second of two connections, with a NOTIFY in the transaction, whose lock lets only one commit at a time,
 * and without.
 */
export async function notifyCosts(): Promise<boolean> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'pmb-bench-notify-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: postgres.url('postgres') })
      await client.connect()
      return client
    }),
  )
  try {
    await clients[0]!.query(`CREATE TABLE bench_rows AS SELECT n AS id, 0 AS value FROM generate_series(0, 1999) n;
      ALTER TABLE bench_rows ADD PRIMARY KEY (id); CREATE TABLE bench_entries (row_id integer, at timestamptz)`)
    const figures: { 'with NOTIFY': number; 'without NOTIFY': number }[] = []
    for (let round = 0; round < rounds; round++)
      figures.push({
        'with NOTIFY': await commitsPerSecond(clients, true),
        'without NOTIFY': await commitsPerSecond(clients, false),
      })
    console.log(`Commits a second of ${connections} connections:`)
    console.table(figures)
    return true
  } finally {
    for (const client of clients) await client.end()
    await postgres.stop()
    await fs.rm(dataDir, { recursive: true, force: true })
  }
}
