import crypto from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** A younger answer is not computed again. */
const freshMs = 60_000
/** An older answer is shown with its time while a newer one is computed; answers older than this are never shown. */
const forgetMs = 24 * 3_600_000
/**
 * How long a reader waits for a newer answer before getting the older one; in a small database nobody sees old figures.
 */
const patienceMs = 400
/** Time after which another process may take over, in case the computing one died. */
const claimMs = 30_000
/**
 * An answer is not recomputed for this many times its computing time, at most `mostRestMs`. A slow answer thus uses at
 * most three percent of the database's time, per kind of reader.
 */
const restFactor = 30
const mostRestMs = 15 * 60_000
/** Answers one process computes in parallel; the connection pool serves other requests too. */
const mostAtATime = 4
const pollMs = 50

export type TimedAnswer<T> = {
  answer: T
  computedAt: Date
  /** Whether the answer is older than a minute. */
  isOld: boolean
  /** Whether a newer answer is being computed. */
  newerSoon: boolean
}

type Kept<T> = {
  name: string
  /** Everything that limits what the reader sees; readers with equal reach share an answer. */
  reach: unknown
  /** The answer is stored as JSON. */
  compute: (at: Date) => Promise<T>
  /** If false, the answer is not stored and is computed at every read. */
  worthKeeping?: (answer: T, tookMs: number) => boolean
}

type Stored<T> = { answer: T; computedAt: Date; tookMs: number }
type Process = Pick<Services, 'db' | 'clock' | 'log'>

/**
 * A reader's row scope and permissions, for the key of an answer that depends only on these. An applicant's rows are
 * their own.
 */
export const reachOf = (actor: Actor) => [
  isApplicant(actor) ? actor.accountId : actor.scope,
  [...actor.permissions].sort(),
]

const keyOf = ({ name, reach }: Pick<Kept<unknown>, 'name' | 'reach'>) =>
  crypto
    .createHash('sha256')
    .update(JSON.stringify([name, reach]))
    .digest('hex')

const pendingByDb = new WeakMap<Db, Map<string, Promise<Stored<unknown>>>>()
const pendingOf = (db: Db) => {
  const pending = pendingByDb.get(db) ?? new Map<string, Promise<Stored<unknown>>>()
  pendingByDb.set(db, pending)
  return pending
}

/** Waits until no answer is being computed for this database; used at shutdown. */
export const settleAnswers = (db: Db) => Promise.allSettled([...pendingOf(db).values()])

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

/**
 * An answer at most a minute old; or an older one with its time, if computing takes longer than a reader should wait.
 * Simultaneous readers, also of other processes, share one computation.
 */
export async function answerOnce<T>(services: Process, kept: Kept<T>): Promise<TimedAnswer<T>> {
  const { db, clock, log } = services
  const key = keyOf(kept)
  const stored = await find<T>(db, key)
  const ageMs = stored ? clock.now().getTime() - stored.computedAt.getTime() : Number.POSITIVE_INFINITY
  const restMs = Math.max(freshMs, Math.min(mostRestMs, (stored?.tookMs ?? 0) * restFactor))
  if (stored && ageMs >= 0 && ageMs <= restMs) return timed(stored, ageMs > freshMs)
  const newer = share(db, key, () =>
    inTurn(() => (stored || !kept.worthKeeping ? computeClaimed : computeUnclaimed)(services, key, kept)),
  )
  if (!stored || ageMs < 0 || ageMs > forgetMs) return timed(await newer)
  const inTime = await Promise.race([
    newer.catch((error) => void log.error({ err: error, answer: kept.name }, 'an answer could not be computed')),
    setTimeout(patienceMs, undefined, { ref: false }),
  ])
  return inTime ? timed(inTime) : timed(stored, true, true)
}

const timed = <T>({ answer, computedAt }: Stored<T>, isOld = false, newerSoon = false): TimedAnswer<T> => ({
  answer,
  computedAt,
  isOld,
  newerSoon,
})

function share<T>(db: Db, key: string, work: () => Promise<Stored<T>>): Promise<Stored<T>> {
  const pending = pendingOf(db)
  const same = pending.get(key)
  if (same) return same as Promise<Stored<T>>
  const mine = work().finally(() => pending.delete(key))
  pending.set(key, mine)
  return mine
}

async function find<T>(db: Db, key: string): Promise<Stored<T> | null> {
  const row = await db
    .selectFrom('keptCards')
    .select(['answer', 'computedAt', 'tookMs'])
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.computedAt ? { answer: row.answer as T, computedAt: row.computedAt, tookMs: row.tookMs } : null
}

async function compute<T>({ clock }: Process, kept: Kept<T>): Promise<Stored<T>> {
  const [computedAt, start] = [clock.now(), performance.now()]
  const answer = await kept.compute(computedAt)
  return { answer, computedAt, tookMs: Math.round(performance.now() - start) }
}

async function computeUnclaimed<T>(services: Process, key: string, kept: Kept<T>): Promise<Stored<T>> {
  const stored = await compute(services, kept)
  if (kept.worthKeeping!(stored.answer, stored.tookMs)) await store(services.db, key, kept.name, stored)
  return stored
}

async function store<T>(db: Db, key: string, card: string, { answer, computedAt, tookMs }: Stored<T>) {
  const row = { answer: JSON.stringify(answer), computedAt, tookMs, claimedUntil: computedAt }
  await db
    .insertInto('keptCards')
    .values({ key, card, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
  await db
    .deleteFrom('keptCards')
    .where('computedAt', '<', new Date(computedAt.getTime() - forgetMs))
    .execute()
}

async function computeClaimed<T>(services: Process, key: string, kept: Kept<T>): Promise<Stored<T>> {
  const { db, clock } = services
  const startedAt = clock.now()
  const claimedUntil = new Date(startedAt.getTime() + claimMs)
  const freshSince = new Date(startedAt.getTime() - freshMs)
  // A fresh answer refuses the claim: another process may have stored it after this reader looked.
  const claim = () =>
    db
      .insertInto('keptCards')
      .values({ key, card: kept.name, claimedUntil })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ claimedUntil })
          .where('keptCards.claimedUntil', '<=', startedAt)
          .where(({ eb }) =>
            eb.or([eb('keptCards.computedAt', 'is', null), eb('keptCards.computedAt', '<', freshSince)]),
          ),
      )
      .returning('key')
      .executeTakeFirst()
  for (let waitedMs = 0; !(await claim()) && waitedMs < claimMs; waitedMs += pollMs) {
    const found = await find<T>(db, key)
    if (found && found.computedAt >= freshSince) return found
    await setTimeout(pollMs)
  }
  try {
    const stored = await compute(services, kept)
    if (kept.worthKeeping && !kept.worthKeeping(stored.answer, stored.tookMs))
      await db.deleteFrom('keptCards').where('key', '=', key).execute()
    else await store(db, key, kept.name, stored)
    return stored
  } catch (error) {
    await db.updateTable('keptCards').set({ claimedUntil: startedAt }).where('key', '=', key).execute()
    throw error
  }
}
