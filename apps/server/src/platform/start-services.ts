import pino from 'pino'
import type { Config } from '#server/config.ts'
import { jobs } from '#server/jobs.ts'
import { createSessionCache } from './access/session-cache.ts'
import { refuseUnfinishedRestore } from './backup/unfinished-restore.ts'
import { type Clock, systemClock } from './clock.ts'
import { boundedPool } from './database/bounded-pool.ts'
import { connect as connectToPostgres, type Db } from './database/database.ts'
import { asRuntimeRole, asTrialRole } from './database/runtime-role.ts'
import { outsideTransactions, watchTransactions } from './database/transaction-guard.ts'
import { fileStoreFor } from './files/file-store.ts'
import { answerTimes } from './http/answer-times.ts'
import { createJobRunner, type JobRunner } from './jobs.ts'
import { type MailTransport, mailTransportFor } from './mail.ts'
import type { Services } from './services.ts'
import { getSettings } from './settings.ts'
import { sourcePositions } from './source-positions.ts'

type Options = {
  config: Config
  connectionString: string
  clock?: Clock
  mail?: MailTransport
  /** For tests: jobs run only through `runDue`. */
  passiveJobs?: boolean
  /** For tests: provides connections that stay open. */
  connect?: typeof connectToPostgres
}

export type Running = {
  services: Services
  runner: JobRunner
  /** Owner's connection, for seeds and maintenance; request handlers must not use it. */
  owner: Db
  stop(): Promise<void>
}

export const createLog = (config: Pick<Config, 'logLevel'>): Services['log'] =>
  pino({
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
  }) as unknown as Services['log']

function serializeError(error: Error) {
  const fields = pino.stdSerializers.err(error)
  return fields?.stack ? { ...fields, stack: sourcePositions(fields.stack) } : fields
}

/** Creates the services, the same way for the server, the worker and the tests. */
export async function startServices(options: Options): Promise<Running> {
  const { config, connectionString, clock = systemClock, connect = connectToPostgres } = options
  const log = createLog(config)
  const runtimeString = await asRuntimeRole(connectionString, log)
  const { db, pool } = connect(runtimeString, {
    max: config.databasePool,
    // Closing a connection frees the memory of statements that have lost their names.
    maxLifetimeSeconds: 3_600,
    preparedStatements: config.preparedStatements,
  })
  if (config.guardTransactions) watchTransactions(db, pool)
  const { db: owner } = connect(connectionString, {
    max: 3,
    idleTimeoutMillis: 5_000,
    preparedStatements: config.preparedStatements,
  })
  await refuseUnfinishedRestore(owner)
  const runner = createJobRunner({
    connectionString,
    jobs: jobsList(),
    log,
    ...(options.passiveJobs && { passive: owner }),
  })
  const sessions = createSessionCache({ db, connectionString: runtimeString, clock, log })
  const mail = outsideTransactions('mail', options.mail ?? mailTransportFor(config))
  const files = outsideTransactions('files', await fileStoreFor(config))
  // Sets the university's calendar before other code counts days.
  await getSettings(db)
  await runner.start()
  await sessions.start()
  const services: Services = {
    db,
    config,
    clock,
    files,
    uploads: new Map(),
    pictures: boundedPool('pictures', config.pictures),
    threads: boundedPool('threads', { atOnce: 2, waiting: 20 }),
    mail,
    jobs: runner,
    sessions,
    answerTimes: answerTimes(),
    log,
    async connectTrial(schema) {
      const trialString = await asTrialRole(connectionString, schema)
      return trialString === undefined ? undefined : connect(trialString, { max: 4, idleTimeoutMillis: 5_000 }).db
    },
  }
  return {
    services,
    runner,
    owner,
    async stop() {
      await runner.stop()
      await sessions.stop()
      await mail.close()
      await db.destroy()
      await owner.destroy()
    },
  }
}

/** Read at call time, because job files import this module's types (circular import). */
const jobsList = () => jobs
