import crypto from 'node:crypto'
import { z } from 'zod'

const member = z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })
export type Member = z.output<typeof member>

/** The last member of a backup: what is in it, so that what is missing or was changed is noticed. */
export const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** What the tables look like. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Tells whether another installation has the same secret key, not what it is. */
  secretKeyMark: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int(),
      /** Of all rows as PostgreSQL writes them out. */
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Jobs that were waiting. */
  jobs: z.int(),
  files: z.array(z.object({ key: z.string(), mime: z.string() })),
  /** Named by the database and not to be found. */
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

/** A job as it waits: what `Jobs.enqueue` wants. */
export const waitingJob = z.object({
  name: z.string(),
  data: z.unknown(),
  startAfter: z.string(),
  singletonKey: z.string().nullable(),
})
export type WaitingJob = z.output<typeof waitingJob>
