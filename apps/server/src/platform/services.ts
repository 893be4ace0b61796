import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import type { SessionCache } from './access/authentication.ts'
import type { Clock } from './clock.ts'
import type { BoundedPool } from './database/bounded-pool.ts'
import type { Db } from './database/database.ts'
import type { FileStore } from './files/file-store.ts'
import type { Jobs } from './job-queue.ts'
import type { MailTransport } from './mail.ts'

/** What every module may use; made once in `start-services.ts` and handed to each of them. */
export type Services = {
  db: Db
  config: Config
  clock: Clock
  files: FileStore
  /** Uploads that are on their way, by account. */
  uploads: Map<string, number>
  /** Reading and drawing of uploads, few at a time. */
  pictures: BoundedPool
  /** Threads that read a file while somebody waits for the answer, few at a time. */
  threads: BoundedPool
  mail: MailTransport
  jobs: Jobs
  sessions: SessionCache
  log: FastifyBaseLogger
}
