import os from 'node:os'
import { sql } from 'kysely'
import { z } from 'zod'
import { type HealthLineName, type HealthState, healthLines } from '#domain/health/lines.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { accountsHolding } from '#server/platform/access/reach.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { sentences } from '#server/platform/text.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { keepDatabaseSize } from './measure/database.ts'
import { dayMs } from './measure/line.ts'
import { measureHealth } from './measure/measure-health.ts'

/** Arbitrary key of the lock that keeps two servers from announcing the same line. */
const lockKey = 7_262_092

/** Measures every line; notifies administrators once when a line becomes red, and once when it is ok again. */
export const watchHealthJob = defineJob({
  name: 'watch-health',
  schedule: '*/5 * * * *',
  maxAttempts: 1,
  data: z.object({}),
  async run(services) {
    await keepDatabaseSize(services)
    const lines = await measureHealth(services)
    const known = lines.flatMap(({ name, state }) => (state ? [{ name, state }] : []))
    await inTransaction(services, systemActor, (context) => keepStates(context, known))
  },
})

type Watched = { name: HealthLineName; state: HealthState }

/** Stores the states and notifies about changes. A line between ok and red is not announced, so that it cannot flap. */
export async function keepStates(context: Omit<Context, 'actor'>, lines: readonly Watched[], host = os.hostname()) {
  const { tx, services, now } = context
  await sql`SELECT pg_advisory_xact_lock(${lockKey})`.execute(tx)
  const stored = await tx.selectFrom('healthLines').selectAll().execute()
  const administrators = await accountsHolding(tx, 'settings-health-view', { wholeView: true })
    .select('a.id')
    .orderBy('a.id')
    .execute()
  // A missing mail server is a line of the checklist, and a mail about it could not be sent.
  const isTold = (name: HealthLineName) =>
    administrators.length > 0 && (name !== 'mail' || services.config.mail.smtpUrl !== undefined)
  const reds: HealthLineName[] = []
  const wells: HealthLineName[] = []
  for (const { name, state } of lines) {
    const server = healthLines[name] === 'server' ? host : ''
    const before = stored.find((row) => row.name === name && row.server === server)
    const isNewRed = state === 'red' && !before?.toldAt && isTold(name)
    const isWell = state === 'ok' && before?.toldAt
    if (isNewRed) reds.push(name)
    if (isWell) wells.push(name)
    const values = {
      state,
      since: before?.state === state ? before.since : now,
      seenAt: now,
      toldAt: isNewRed ? now : isWell ? null : (before?.toldAt ?? null),
    }
    await tx
      .insertInto('healthLines')
      .values({ name, server, ...values })
      .onConflict((conflict) => conflict.columns(['name', 'server']).doUpdateSet(values))
      .execute()
  }
  // Deletes the lines of servers that no longer run.
  await tx
    .deleteFrom('healthLines')
    .where('seenAt', '<', new Date(now.getTime() - dayMs))
    .execute()
  for (const { id } of administrators) {
    await tell(context, id, 'health-red', reds)
    await tell(context, id, 'health-well', wells)
  }
}

async function tell(
  context: Omit<Context, 'actor'>,
  accountId: string,
  event: 'health-red' | 'health-well',
  names: readonly HealthLineName[],
) {
  if (names.length > 0)
    await notify(context, {
      accountId,
      event,
      params: (language) => ({ lines: names.map((name) => sentences(language)(`health:lines.${name}`)).join(', ') }),
      link: '/settings/health',
    })
}
