import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Services } from '#server/platform/services.ts'
import { dayMs, hourMs, type MeasuredLine } from './line.ts'

export type Rates = { hourGood: number; hourFailed: number; dayGood: number; dayFailed: number }

/** Red if at least half of the last hour's attempts failed (three or more), soon if a tenth of a day's did. */
function stateOfRates({ hourGood, hourFailed, dayGood, dayFailed }: Rates) {
  if (hourFailed >= 3 && hourFailed >= hourGood) return 'red'
  return dayFailed > 0 && dayFailed / (dayGood + dayFailed) >= 0.1 ? 'soon' : 'ok'
}

/** Mail counts of the last hour and day. Only jobs that failed for good count as failed; waiting mails count by age. */
export async function readMailRates({ db, clock }: Services) {
  const now = clock.now().getTime()
  const [hourAgo, dayAgo] = [new Date(now - hourMs), new Date(now - dayMs)]
  const { rows } = await sql<Rates & { waiting: number; oldestWaitingAt: Date | null }>`
    SELECT count(*) FILTER (WHERE status NOT IN ('failed', 'queued') AND created_at > ${hourAgo})::int AS hour_good,
      count(*) FILTER (WHERE status = 'failed' AND created_at > ${hourAgo})::int AS hour_failed,
      count(*) FILTER (WHERE status NOT IN ('failed', 'queued'))::int AS day_good,
      count(*) FILTER (WHERE status = 'failed')::int AS day_failed,
      count(*) FILTER (WHERE status = 'queued')::int AS waiting,
      min(created_at) FILTER (WHERE status = 'queued') AS oldest_waiting_at
    FROM messages WHERE channel = 'email' AND created_at > ${dayAgo}`.execute(db)
  return theOnly(rows)
}

async function measureMail(services: Services): Promise<MeasuredLine> {
  const { mail, config, clock } = services
  // Without a mail server nobody can reset a password; the demo has none on purpose.
  if (mail.kind === 'outbox')
    return { name: 'mail', state: config.demo ? 'soon' : 'red', code: 'mail-outbox', facts: {} }
  const { oldestWaitingAt, ...rates } = await readMailRates(services)
  const waitingMinutes = oldestWaitingAt ? (clock.now().getTime() - oldestWaitingAt.getTime()) / 60_000 : 0
  if (rates.dayGood + rates.dayFailed + rates.waiting === 0)
    return { name: 'mail', state: 'ok', code: 'mail-none', facts: {} }
  const ofRates = stateOfRates(rates)
  const state = waitingMinutes >= 30 ? 'red' : waitingMinutes >= 10 && ofRates === 'ok' ? 'soon' : ofRates
  return {
    name: 'mail',
    state,
    code: 'mail-rates',
    facts: { ...rates, waitingSeconds: Math.round(waitingMinutes * 60) },
  }
}

/** Our calls to banks; a refusal counts as an answer. `unbooked` counts bank reports that could not be booked. */
export async function readBankRates({ db, clock }: Services) {
  const now = clock.now().getTime()
  const [hourAgo, dayAgo] = [new Date(now - hourMs), new Date(now - dayMs)]
  const { rows } = await sql<Rates & { unbooked: number }>`
    SELECT count(*) FILTER (WHERE answered AND called_at > ${hourAgo})::int AS hour_good,
      count(*) FILTER (WHERE NOT answered AND called_at > ${hourAgo})::int AS hour_failed,
      count(*) FILTER (WHERE answered)::int AS day_good, count(*) FILTER (WHERE NOT answered)::int AS day_failed,
      (SELECT count(*)::int FROM bank_reports WHERE received_at > ${dayAgo} AND outcome = 'failed') AS unbooked
    FROM (SELECT called_at, coalesce(status < 500 AND status <> 429, false) AS answered
      FROM bank_calls WHERE called_at > ${dayAgo}) calls`.execute(db)
  return theOnly(rows)
}

async function measureBanks(services: Services): Promise<MeasuredLine> {
  const rates = await readBankRates(services)
  const { db, config } = services
  const connected = await db
    .selectFrom('providerAccounts')
    .select('id')
    .where('active', '=', true)
    .limit(1)
    .executeTakeFirst()
  // The demo uses its built-in bank.
  if (!connected && !config.demo) return { name: 'banks', state: 'soon', code: 'bank-missing', facts: {} }
  if (rates.dayGood + rates.dayFailed + rates.unbooked === 0)
    return { name: 'banks', state: 'ok', code: 'bank-none', facts: {} }
  return {
    name: 'banks',
    state: rates.unbooked > 0 ? 'red' : stateOfRates(rates),
    code: 'bank-rates',
    facts: rates,
  }
}

/** Whether mails are sent and banks answer. */
export const measureTraffic = (services: Services) => Promise.all([measureMail(services), measureBanks(services)])
