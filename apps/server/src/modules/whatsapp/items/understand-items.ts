import { type Selectable, sql } from 'kysely'
import type { WhatsappItemKind, WhatsappItemProblem } from '#domain/whatsapp/items.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import { cutText } from '#server/platform/read-answer.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'

export type Item = Selectable<Database['whatsappItems']>

/** Thrown for an item that cannot be read. */
export class NotUnderstood extends Error {
  readonly problem: WhatsappItemProblem
  constructor(problem: WhatsappItemProblem) {
    super(problem)
    this.problem = problem
  }
}

/**
 * Processes waiting items of a kind, each in its own transaction, so that a failing item does not stop others. Oldest
 * first, but at most twenty items of one user in a row while other users wait.
 */
export async function understandItems(
  services: Services,
  kind: WhatsappItemKind,
  understand: (context: Context, item: Item) => Promise<void>,
) {
  const tried: string[] = []
  for (let ids = await findWaiting(services, kind, tried); ids.length > 0; ) {
    for (const id of ids) await understandOrNote(services, id, understand)
    tried.push(...ids)
    ids = await findWaiting(services, kind, tried)
  }
}

/** Items per query for waiting items. */
const itemsAtOnce = 100
/** A chat rarely has more than this at once, so the order is usually that of arrival. */
const itemsOfOnePerson = 20

async function findWaiting({ db }: Services, kind: WhatsappItemKind, tried: readonly string[]) {
  const order = sql`ORDER BY received_at, number`
  const waiting = await db
    .selectFrom('whatsappItems')
    .select('id')
    .where('kind', '=', kind)
    .where('handledAt', 'is', null)
    .where(sql<boolean>`id <> ALL(${tried}::uuid[])`)
    .orderBy(sql`(row_number() OVER (PARTITION BY coalesce(phone, user_id) ${order}) - 1) / ${itemsOfOnePerson}::int`)
    .orderBy('receivedAt')
    .orderBy('number')
    .limit(itemsAtOnce)
    .execute()
  return waiting.map(({ id }) => id)
}

async function understandOrNote(
  services: Services,
  id: string,
  understand: (context: Context, item: Item) => Promise<void>,
) {
  try {
    await inTransaction(services, systemActor, async (context) => {
      const { tx } = context
      const item = await tx
        .selectFrom('whatsappItems')
        .selectAll()
        .where('id', '=', id)
        .where('handledAt', 'is', null)
        // Waits for another process that has this item, so that a later item of the same user does not overtake it.
        .forUpdate()
        .executeTakeFirst()
      if (!item) return
      await understand({ ...context, now: services.clock.now() }, item)
      await markUnderstood(tx, [id], services.clock.now())
    })
  } catch (error) {
    const problem = error instanceof NotUnderstood ? error.problem : 'failed'
    if (problem === 'failed') services.log.warn({ err: error, id }, 'an item of WhatsApp could not be taken')
    await noteProblem(
      services.db,
      id,
      problem,
      problem === 'failed' ? String((error as Error).message) : null,
      services.clock.now(),
    )
  }
}

export const markUnderstood = (tx: Db, ids: readonly string[], now: Date) =>
  sql`UPDATE whatsapp_items SET handled_at = ${now}, problem = NULL, detail = NULL WHERE id = ANY(${ids}::uuid[])`.execute(
    tx,
  )

/** Stores why an item is not understood. It is tried again for a day and then given up; the row stays. */
export const noteProblem = (db: Db, id: string, problem: WhatsappItemProblem, detail: string | null, now: Date) =>
  sql`UPDATE whatsapp_items SET problem = ${problem}, detail = ${detail && cutText(detail, 300)},
    handled_at = CASE WHEN received_at < ${now}::timestamptz - interval '1 day' THEN ${now}::timestamptz END
    WHERE id = ${id} AND handled_at IS NULL`.execute(db)
