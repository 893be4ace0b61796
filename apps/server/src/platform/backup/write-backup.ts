import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import tar from 'tar-stream'
import { theOnly } from '#domain/must.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import {
  filePrefix,
  jobsName,
  type Manifest,
  type Member,
  manifestName,
  markOf,
  partOf,
  type WaitingJob,
} from './manifest.ts'
import { readOut, tablesOf, textFormat } from './tables.ts'

/** Bytes per tar entry. Tar writes the size before the content, so each entry is buffered whole. */
const partBytes = 4 * 1024 * 1024

type Options = {
  /** Login of the owner of the tables. */
  connectionString: string
  files: FileStore
  secretKey: string
  now: Date
  /** Path of the archive. Written to `<archive>.part`, then renamed, so this path never holds half a backup. */
  archive: string
}

/**
 * Writes a snapshot of the whole database, the waiting jobs and all uploaded files into one archive. The server may
 * keep running.
 */
export async function writeBackup({ archive, ...options }: Options): Promise<Manifest> {
  fs.mkdirSync(path.dirname(path.resolve(archive)), { recursive: true })
  const partFile = `${archive}.part`
  const pack = tar.pack()
  const out = fs.createWriteStream(partFile, { mode: 0o600, flush: true })
  const packing = pipeline(pack, createGzip({ level: 5 }), out)
  // `await packing` below rethrows; this only avoids an unhandled rejection meanwhile.
  packing.catch(() => {})
  try {
    const manifest = await fill(pack, options)
    pack.finalize()
    await packing
    fs.renameSync(partFile, archive)
    return manifest
  } catch (error) {
    pack.destroy()
    await packing.catch(() => {})
    fs.rmSync(partFile, { force: true })
    throw error
  }
}

async function fill(pack: tar.Pack, { connectionString, files, secretKey, now }: Omit<Options, 'archive'>) {
  const members: Member[] = []
  const add = async (name: string, bytes: Buffer) => {
    const sha256 = crypto.createHash('sha256').update(bytes).digest('hex')
    members.push({ name, bytes: bytes.length, sha256 })
    await writeEntry(pack, name, bytes, now)
  }
  const client = new pg.Client({ connectionString, application_name: 'pmb-backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(textFormat)
    const migrations = await rowsOf<{ name: string; checksum: string }>(
      client,
      'SELECT name, checksum FROM schema_migrations ORDER BY name',
    )
    const tables: Manifest['tables'] = []
    for (const table of await tablesOf(client)) {
      let part = 0
      let pieces: Buffer[] = []
      let size = 0
      const flush = async () => {
        if (size === 0) return
        await add(partOf(table.name, ++part), Buffer.concat(pieces))
        pieces = []
        size = 0
      }
      const tableSum = await readOut(client, table, (piece) => {
        pieces.push(piece)
        size += piece.length
        if (size >= partBytes) return flush()
      })
      await flush()
      tables.push({ ...table, ...tableSum })
    }
    const sequences = await rowsOf<{ name: string; value: string }>(
      client,
      `SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences
       WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
    )
    const jobs = await waitingJobs(client)
    if (jobs.length > 0) await add(jobsName, Buffer.from(jobs.map((job) => `${JSON.stringify(job)}\n`).join('')))
    const storedFiles = await rowsOf<{ key: string; mime: string }>(
      client,
      `SELECT storage_key AS key, mime FROM files UNION ALL
       SELECT thumbnail_key, 'image/webp' FROM files WHERE thumbnail_key IS NOT NULL ORDER BY 1`,
    )
    await client.query('COMMIT')

    const missingFiles: string[] = []
    for (const { key } of storedFiles) {
      const bytes = await files.bytes(key).catch(() => undefined)
      if (bytes) await add(filePrefix + key, bytes)
      else missingFiles.push(key)
    }
    const manifest: Manifest = {
      format: 1,
      createdAt: now.toISOString(),
      migrations,
      secretKeyMark: markOf(secretKey),
      tables,
      sequences,
      jobs: jobs.length,
      files: storedFiles.filter(({ key }) => !missingFiles.includes(key)),
      missingFiles,
      members,
    }
    await writeEntry(pack, manifestName, Buffer.from(JSON.stringify(manifest, null, 1)), now)
    return manifest
  } finally {
    await client.end().catch(() => {})
  }
}

const rowsOf = async <T extends pg.QueryResultRow>(client: pg.Client, text: string) =>
  (await client.query<T>(text)).rows

/** Resolves once tar has taken the entry, so only one is in memory. */
const writeEntry = (pack: tar.Pack, name: string, bytes: Buffer, mtime: Date) =>
  new Promise<void>((resolve, reject) => {
    const entry = pack.entry({ name, size: bytes.length, mode: 0o600, mtime }, (error) =>
      error ? reject(error) : resolve(),
    )
    entry.on('error', reject)
    entry.end(bytes)
  })

/** Running jobs are included: they run again after a restore, and every job is safe to repeat. */
async function waitingJobs(client: pg.Client): Promise<WaitingJob[]> {
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('pgboss.job') IS NOT NULL AS there")
  if (!theOnly(rows).there) return []
  return rowsOf<WaitingJob>(
    client,
    `SELECT name, data, to_char(start_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "startAfter",
       singleton_key AS "singletonKey"
     FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND name NOT LIKE '\\_\\_pgboss%' ORDER BY created_on, id`,
  )
}
