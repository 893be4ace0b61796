import os from 'node:os'
import path from 'node:path'
import type { Config } from '#server/config.ts'

export const testConfig = (changes: Partial<Config> = {}): Config => ({
  port: 0,
  host: '127.0.0.1',
  publicUrl: 'http://localhost:3000',
  dataDir: path.join(os.tmpdir(), `pmb-test-files-${process.pid}`),
  backupDir: path.join(os.tmpdir(), `pmb-test-backups-${process.pid}`),
  databaseUrl: undefined,
  databasePool: 10,
  preparedStatements: true,
  runJobs: false,
  secretKey: 'a key for tests only, a key for tests only',
  logLevel: 'fatal',
  trustProxy: 0,
  bankTimeoutMs: 10_000,
  // A busy machine must not fail a test.
  maxEventLoopDelayMs: 0,
  keepReportsFromMs: Number.POSITIVE_INFINITY,
  guardTransactions: true,
  uploads: { perAccount: 3, patienceMs: 15_000, leastBytes: 8_192 },
  pictures: { atOnce: 2, waiting: 40 },
  reading: { memoryMb: 256, timeMs: 60_000 },
  demo: true,
  demoHistory: false,
  mail: { smtpUrl: undefined, from: 'PMB Online <no-reply@localhost>' },
  mailReportSecret: undefined,
  keepsShell: true,
  dnsServers: [],
  metricsToken: undefined,
  google: undefined,
  s3: undefined,
  ...changes,
})
