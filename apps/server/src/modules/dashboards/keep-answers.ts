import crypto from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type CardKey, dashboardCards } from '#domain/dashboards/cards.ts'
import type { CardAnswer, CardContent } from '#domain/dashboards/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** An answer of this age is not computed again. */
const freshMs = 60_000
/** An older answer is shown with its time while a newer one is computed; one older than this is not shown. */
const usableMs = 15 * 60_000
/** Another process may take over after this, should the one that computes have died. */
const claimMs = 30_000
/** Answers nobody has opened for a day are removed. */
const forgetMs = 24 * 3_600_000
/** Answers computed at a time by one process; the pool of connections serves other requests too. */
const mostAtATime = 4
const pollMs = 50

/** Cards about the reader's own account are shared with nobody. */
const isPersonal = (card: CardKey) => dashboardCards[card].section === 'referrals'

/** Identifies an answer: readers with one key see exactly the same rows and addresses. */
export const keyOfAnswer = (card: CardKey, actor: Actor): string =>
  crypto
    .createHash('sha256')
    .update(
      JSON.stringify([card, actor.scope, [...actor.permissions].sort(), isPersonal(card) ? actor.accountId : null]),
    )
    .digest('hex')

type Compute = (at: Date) => Promise<CardContent>
type Stored = { answer: CardContent; computedAt: Date }

const pendingByDb = new WeakMap<Db, Map<string, Promise<Stored>>>()
const pendingOf = (db: Db) => {
  const pending = pendingByDb.get(db) ?? new Map<string, Promise<Stored>>()
  pendingByDb.set(db, pending)
  return pending
}

let computing = 0
const queue: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (computing >= mostAtATime) await new Promise<void>((start) => queue.push(start))
  else computing++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else computing--
  }
}

/** Waits until no answer is being computed for this database, for the end of the server. */
export const settleAnswers = (db: Db) => Promise.allSettled([...pendingOf(db).values()])

/**
 * A card's answer, at most a minute old. An older one is answered at once and marked, while a newer one is computed;
 * readers who come at the same time, also to other processes, have it computed once.
 */
export async function answerOnce(
  services: Pick<Services, 'db' | 'clock' | 'log'>,
  card: CardKey,
  actor: Actor,
  compute: Compute,
): Promise<CardAnswer> {
  const { db, clock, log } = services
  const key = keyOfAnswer(card, actor)
  const stored = await find(db, key)
  const ageMs = stored ? clock.now().getTime() - stored.computedAt.getTime() : Number.POSITIVE_INFINITY
  if (stored && ageMs >= 0 && ageMs <= freshMs) return answerFrom(stored, false)
  const newer = shared(db, key, () => inTurn(() => computeOnce(services, card, key, compute)))
  if (!stored || ageMs < 0 || ageMs > usableMs) return answerFrom(await newer, false)
  newer.catch((error) => log.error({ err: error, card }, 'a card of the dashboard could not be computed'))
  return answerFrom(stored, true)
}

const answerFrom = ({ answer, computedAt }: Stored, isOld: boolean): CardAnswer => ({
  data: answer,
  meta: { asOf: computedAt.toISOString(), isOld },
})

function shared(db: Db, key: string, work: () => Promise<Stored>): Promise<Stored> {
  const pending = pendingOf(db)
  const same = pending.get(key)
  if (same) return same
  const mine = work().finally(() => pending.delete(key))
  pending.set(key, mine)
  return mine
}

async function find(db: Db, key: string): Promise<Stored | null> {
  const row = await db
    .selectFrom('keptCards')
    .select(['answer', 'computedAt'])
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.computedAt ? { answer: row.answer as unknown as CardContent, computedAt: row.computedAt } : null
}

async function computeOnce(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  card: CardKey,
  key: string,
  compute: Compute,
): Promise<Stored> {
  const startedAt = clock.now()
  const claimedUntil = new Date(startedAt.getTime() + claimMs)
  const claim = () =>
    db
      .insertInto('keptCards')
      .values({ key, card, claimedUntil })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ claimedUntil }).where('keptCards.claimedUntil', '<=', startedAt),
      )
      .returning('key')
      .executeTakeFirst()
  for (let waitedMs = 0; !(await claim()) && waitedMs < claimMs; waitedMs += pollMs) {
    await setTimeout(pollMs)
    const found = await find(db, key)
    if (found && startedAt.getTime() - found.computedAt.getTime() <= freshMs) return found
  }
  const computedAt = clock.now()
  try {
    const answer = await compute(computedAt)
    await db
      .updateTable('keptCards')
      .set({ answer: JSON.stringify(answer), computedAt, claimedUntil: computedAt })
      .where('key', '=', key)
      .execute()
    await db
      .deleteFrom('keptCards')
      .where('computedAt', '<', new Date(computedAt.getTime() - forgetMs))
      .execute()
    return { answer, computedAt }
  } catch (error) {
    await db.updateTable('keptCards').set({ claimedUntil: computedAt }).where('key', '=', key).execute()
    throw error
  }
}
