import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { buildApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { sendDue } from '#server/modules/sending/sender.ts'
import { hashCheaply } from '#server/platform/access/passwords.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { slowWorkInTransactions } from '#server/platform/database/transaction-guard.ts'
import type { MailTransport } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import { type Running, startServices } from '#server/platform/start-services.ts'
import { freshDatabase } from './database.ts'
import { lendConnections } from './lent-connections.ts'
import { lendDatabase } from './lent-database.ts'
import { testConfig } from './test-config.ts'

hashCheaply()

export type TestClock = Clock & {
  /** Fixes the clock at this time. */
  set(time: Date | string): void
  /** Returns to the real time. */
  reset(): void
}

export function testClock(): TestClock {
  let fixed: Date | undefined
  return {
    now: () => (fixed ? new Date(fixed) : new Date()),
    set: (time) => {
      fixed = new Date(time)
    },
    reset: () => {
      fixed = undefined
    },
  }
}

export type TestApp = {
  app: FastifyInstance
  services: Services
  /** Connection of the runtime role, which may not change tables, indexes or the audit log. */
  db: Db
  /** Owner's connection, for maintenance. */
  owner: Db
  clock: TestClock
  connectionString: string
  /** Runs every job that is due, and those they add, sends the messages that are due, and returns how many jobs ran. */
  runJobs(): Promise<number>
  close(): Promise<void>
}

type Options = {
  config?: Partial<Config>
  mail?: MailTransport
  /** A second server on the database of the first. */
  sameDatabaseAs?: Pick<TestApp, 'connectionString'>
  /** A copy of the template used by no other file, with its own connections. */
  ownDatabase?: boolean
}

/** The whole application on a database with the template's contents, reached through `inject`. */
export async function testApp({ config, mail, sameDatabaseAs, ownDatabase }: Options = {}): Promise<TestApp> {
  const database = sameDatabaseAs
    ? { connectionString: sameDatabaseAs.connectionString, giveBack: async () => {} }
    : await (ownDatabase ? freshDatabase() : lendDatabase())
  const clock = testClock()
  const { connectionString } = database
  const { services, runner, owner, stop } = await startServices({
    config: testConfig(config),
    connectionString,
    clock,
    passiveJobs: true,
    ...(!ownDatabase && { connect: lendConnections }),
    ...(mail && { mail }),
  })
  const app = await buildApp(services)
  const t: TestApp = {
    app,
    services,
    db: services.db,
    owner,
    clock,
    connectionString,
    runJobs: () => runJobs(services, runner),
    async close() {
      await app.close()
      await stop()
      await database.giveBack()
      forget(t)
      // Includes errors hidden by a `catch`.
      const slow = slowWorkInTransactions.splice(0)
      if (slow.length > 0) throw new Error(`Inside a transaction: ${[...new Set(slow)].join(', ')}`)
    },
  }
  return t
}

async function runJobs(services: Services, runner: Running['runner']) {
  let count = await runner.runDue(services)
  while (await hasDueMessages(services)) {
    await sendDue(services)
    // What a mail's failure publishes is run too.
    const more = await runner.runDue(services)
    if (more === 0) break
    count += more
  }
  return count
}

const hasDueMessages = async ({ db, clock }: Services) =>
  (await db
    .selectFrom('handovers')
    .select('id')
    .where('state', '=', 'due')
    .where('dueAt', '<=', clock.now())
    .executeTakeFirst()) !== undefined

/** Lets go of the application: modules of test files stay loaded with their variables, and each would hold 10 MB. */
function forget(t: Partial<TestApp>) {
  for (const key of Object.keys(t) as (keyof TestApp)[]) if (key !== 'connectionString') delete t[key]
  t.close = async () => {}
}

/**
 * Runs a statement with triggers and foreign keys disabled: for mistakes the checks must find, or thousands of old
 * rows. What reports count is made again, which triggers would have done.
 */
export const pastTriggers = ({ owner }: Pick<TestApp, 'owner'>, statement: RawBuilder<unknown>) =>
  owner.transaction().execute(async (tx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(tx)
    await statement.execute(tx)
    await sql`SELECT rebuild_report_facts()`.execute(tx)
  })
