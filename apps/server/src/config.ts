import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { type Proxies, readProxies } from './platform/http/proxies.ts'
import { isDiskFull, StartError } from './platform/postgres/start-error.ts'
import type { ThreadLimits } from './platform/threads/threads.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const proxies = z.string().transform((value, context): Proxies => {
  const result = readProxies(value)
  if (typeof result === 'number' || !('refused' in result)) return result
  context.addIssue({ code: 'custom', message: result.refused })
  return z.NEVER
})

/** Every setting of the server; `.env.example` explains each. Programs pass the environment to `readConfig`. */
export const environmentSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: z.url().optional(),
  PMB_DATA_DIR: z.string().default('.data'),
  BACKUP_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  DEMO: flag.optional(),
  DEMO_HISTORY: flag.default(true),
  PREPARED_STATEMENTS: flag.default(true),
  RUN_JOBS: flag.default(true),
  SECRET_KEY: z.string().min(32).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  TRUST_PROXY: proxies.default(0),
  BANK_TIMEOUT: z.coerce.number().int().min(100).max(60_000).default(10_000),
  MAX_EVENT_LOOP_DELAY: z.coerce.number().int().min(0).default(5_000),
  KEEP_REPORTS_FROM: z.coerce.number().int().min(0).default(500),
  GUARD_TRANSACTIONS: flag.default(false),
  UPLOADS_PER_ACCOUNT: z.coerce.number().int().min(1).max(100).default(3),
  UPLOAD_PATIENCE: z.coerce.number().int().min(1_000).max(120_000).default(15_000),
  PICTURES_AT_ONCE: z.coerce.number().int().min(1).max(64).default(2),
  PICTURES_WAITING: z.coerce.number().int().min(0).max(1_000).default(40),
  READING_MEMORY: z.coerce.number().int().min(64).max(4_096).default(256),
  READING_TIME: z.coerce.number().int().min(1_000).max(600_000).default(120_000),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  KEEP_SHELL: flag.default(true),
  DNS_SERVERS: z.string().default(''),
  METRICS_TOKEN: z.string().min(16).optional(),
  MAIL_REPORT_SECRET: z.string().min(16).optional(),
  MAIL_FROM: z.string().default('PMB Online <no-reply@localhost>'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: z.url().default('https://accounts.google.com'),
  STORAGE: z.enum(['local', 's3']).default('local'),
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().default('ap-southeast-3'),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
})

type Environment = z.output<typeof environmentSchema>

export type Config = {
  port: number
  host: string
  /** The site's address without a trailing slash; links in mails begin with it. */
  publicUrl: string
  dataDir: string
  /** Folder where `npm run backup` writes and the restore test reads. */
  backupDir: string
  /** Undefined if the embedded database is used. */
  databaseUrl: string | undefined
  databasePool: number
  /** Uses named prepared statements for frequent queries; off for connection poolers that do not support them. */
  preparedStatements: boolean
  runJobs: boolean
  /** Signs links; must be the same on all servers of one installation. */
  secretKey: string
  logLevel: Environment['LOG_LEVEL']
  trustProxy: Proxies
  /** Time a bank has to answer. */
  bankTimeoutMs: number
  /** Event-loop delay above which the server answers 503 instead of falling further behind; 0 for never. */
  maxEventLoopDelayMs: number
  /** Reports and forecasts that take longer are cached for readers with the same reach, for at least a minute. */
  keepReportsFromMs: number
  /** Makes code throw if it waits inside a transaction for anything but the database; see `transaction-guard.ts`. */
  guardTransactions: boolean
  uploads: {
    /** Concurrent uploads per account. */
    perAccount: number
    /** An upload that sends fewer than `leastBytes` in this time is aborted. */
    patienceMs: number
    leastBytes: number
  }
  /** Number of uploads checked and redrawn at a time, and of uploads that may wait for it. */
  pictures: { atOnce: number; waiting: number }
  /** Memory and time of a thread that reads a sheet or bank statement; see `threads.ts`. */
  reading: ThreadLimits
  /** Whether demo accounts, the outbox page and the sandbox bank exist. */
  demo: boolean
  /** Whether a demo university has earlier seasons. */
  demoHistory: boolean
  mail: { smtpUrl: string | undefined; from: string }
  /** Opens /api/mail-reports to the mail service; without it the route answers 404. */
  mailReportSecret: string | undefined
  /** Whether phones keep the page and files of the app; false takes them back. */
  keepsShell: boolean
  /** DNS servers for SPF, DKIM and DMARC, instead of the system's. */
  dnsServers: string[]
  /** Opens /api/metrics; without it the route answers 404. */
  metricsToken: string | undefined
  google: { clientId: string; clientSecret: string; issuer: string } | undefined
  s3:
    | {
        bucket: string
        region: string
        endpoint: string | undefined
        accessKeyId: string | undefined
        secretAccessKey: string | undefined
      }
    | undefined
}

/** Reads and checks the settings; throws a StartError that names the first invalid one. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const setValues = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = environmentSchema.safeParse(setValues)
  if (!result.success) {
    const { path: settingPath, message } = result.error.issues[0]!
    throw new StartError(`The setting ${settingPath.join('.')} is wrong: ${message}`)
  }
  const env = result.data
  if (env.STORAGE === 's3' && !env.S3_BUCKET)
    throw new StartError('The setting S3_BUCKET is needed when STORAGE is s3.')
  if (Boolean(env.GOOGLE_CLIENT_ID) !== Boolean(env.GOOGLE_CLIENT_SECRET))
    throw new StartError('The settings GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are needed together.')
  if (env.DATABASE_URL && !env.SECRET_KEY && environment.NODE_ENV === 'production' && env.STORAGE === 's3')
    throw new StartError('The setting SECRET_KEY is needed, the same one on every server.')
  if (env.DEMO && env.DATABASE_URL)
    throw new StartError('DEMO=true works with the embedded database only: unset DATABASE_URL or set DEMO=false.')
  const dataDir = path.resolve(env.PMB_DATA_DIR)
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    dataDir,
    backupDir: path.resolve(env.BACKUP_DIR ?? path.join(dataDir, 'backups')),
    databaseUrl: env.DATABASE_URL,
    databasePool: env.DATABASE_POOL,
    preparedStatements: env.PREPARED_STATEMENTS,
    runJobs: env.RUN_JOBS,
    secretKey: env.SECRET_KEY ?? readOrCreateSecret(dataDir),
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
    bankTimeoutMs: env.BANK_TIMEOUT,
    maxEventLoopDelayMs: env.MAX_EVENT_LOOP_DELAY,
    keepReportsFromMs: env.KEEP_REPORTS_FROM,
    guardTransactions: env.GUARD_TRANSACTIONS,
    uploads: { perAccount: env.UPLOADS_PER_ACCOUNT, patienceMs: env.UPLOAD_PATIENCE, leastBytes: 8_192 },
    pictures: { atOnce: env.PICTURES_AT_ONCE, waiting: env.PICTURES_WAITING },
    reading: { memoryMb: env.READING_MEMORY, timeMs: env.READING_TIME },
    demo: env.DEMO ?? isDemoByDefault(env),
    demoHistory: env.DEMO_HISTORY,
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    mailReportSecret: env.MAIL_REPORT_SECRET,
    keepsShell: env.KEEP_SHELL,
    dnsServers: env.DNS_SERVERS.split(/[\s,]+/).filter(Boolean),
    metricsToken: env.METRICS_TOKEN,
    google:
      env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
        ? { clientId: env.GOOGLE_CLIENT_ID, clientSecret: env.GOOGLE_CLIENT_SECRET, issuer: env.GOOGLE_ISSUER }
        : undefined,
    s3:
      env.STORAGE === 's3'
        ? {
            bucket: env.S3_BUCKET!,
            region: env.S3_REGION,
            endpoint: env.S3_ENDPOINT,
            accessKeyId: env.S3_ACCESS_KEY_ID,
            secretAccessKey: env.S3_SECRET_ACCESS_KEY,
          }
        : undefined,
  }
}

/** A server that is public or connects to other systems is a demo only if `DEMO=true` says so. */
const isDemoByDefault = (env: Environment) =>
  !env.DATABASE_URL &&
  !env.PUBLIC_URL?.startsWith('https:') &&
  !env.SMTP_URL &&
  !env.GOOGLE_CLIENT_ID &&
  env.STORAGE === 'local'

/** Creates the secret on the first start and stores it in the data folder, so that signed links survive a restart. */
function readOrCreateSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret-key')
  try {
    fs.mkdirSync(dataDir, { recursive: true })
    if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim()
    const secret = crypto.randomBytes(32).toString('hex')
    fs.writeFileSync(file, secret, { mode: 0o600, flag: 'wx' })
    return secret
  } catch (error) {
    if (isDiskFull(error))
      throw new StartError('The disk is full: the data folder could not be written. Free some space and start again.')
    throw new StartError(`The data folder ${dataDir} cannot be written: ${(error as Error).message}`)
  }
}
