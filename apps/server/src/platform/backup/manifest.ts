import crypto from 'node:crypto'
import { z } from 'zod'

const member = z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })
export type Member = z.output<typeof member>

/** Last member of a backup. Lists the others with their hashes, so a missing or changed member is detected. */
export const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** Migrations that made the tables; a restore runs exactly these first. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** HMAC under the secret key: shows whether another installation uses the same key, without revealing it. */
  secretKeyMark: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int(),
      /** Hash of all rows in COPY's text format. */
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Number of waiting jobs. */
  jobs: z.int(),
  files: z.array(z.object({ key: z.string(), mime: z.string() })),
  /** Keys in the database whose file is missing from the store. */
  missingFiles: z.array(z.string()),
  members: z.array(member),
})
export type Manifest = z.output<typeof manifestSchema>

export const manifestName = 'manifest.json'
export const jobsName = 'jobs.ndjson'
export const filePrefix = 'files/'
export const partOf = (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.copy`

export const markOf = (secretKey: string) =>
  crypto.createHmac('sha256', secretKey).update('backup').digest('base64url').slice(0, 16)

/** A waiting job, as the arguments of `Jobs.enqueue`. */
export const waitingJob = z.object({
  name: z.string(),
  data: z.unknown(),
  startAfter: z.string(),
  singletonKey: z.string().nullable(),
})
export type WaitingJob = z.output<typeof waitingJob>
