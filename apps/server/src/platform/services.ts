import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import type { SessionCache } from './access/authentication.ts'
import type { Clock } from './clock.ts'
import type { BoundedPool } from './database/bounded-pool.ts'
import type { Db } from './database/database.ts'
import type { FileStore } from './files/file-store.ts'
import type { AnswerTimes } from './http/answer-times.ts'
import type { Jobs } from './job-queue.ts'
import type { MailTransport } from './mail.ts'

/** Services of the process, created once in `start-services.ts` and passed to every module. */
export type Services = {
  db: Db
  config: Config
  clock: Clock
  files: FileStore
  /** Uploads in progress, by account, or by network without one. */
  uploads: Map<string, number>
  /** Limits how many uploads are read and re-encoded at a time. */
  pictures: BoundedPool
  /** Limits how many threads read files for waiting requests at a time. */
  threads: BoundedPool
  mail: MailTransport
  jobs: Jobs
  sessions: SessionCache
  /** Response times of this process. */
  answerTimes: AnswerTimes
  log: FastifyBaseLogger
  /** Connects to a trial's schema; undefined if the database has no trial role. */
  connectTrial(schema: string): Promise<Db | undefined>
  /** Set in the services of a trial. */
  trialId?: string
}
