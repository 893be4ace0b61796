import { sql } from 'kysely'
import type { WhatsappItem } from '#domain/health/endpoints.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/services.ts'
import { dayMs, type MeasuredLine } from './line.ts'

const minuteMs = 60_000

/** Items with a problem, and items not handled within ten minutes. */
const isNotUnderstood = (now: Date) => sql<boolean>`(i.problem IS NOT NULL
  OR i.handled_at IS NULL AND i.received_at < ${new Date(now.getTime() - 10 * minuteMs)})`

async function countItems({ db, clock }: Services) {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    SELECT count(*)::int AS count, max(received_at) AS last_at FROM whatsapp_items i
    WHERE ${isNotUnderstood(clock.now())}`.execute(db)
  return theOnly(rows)
}

/** Items from Meta's webhooks that could not be processed, newest first, without message texts. */
export async function readItems(services: Services) {
  const { rows } = await sql<Omit<WhatsappItem, 'receivedAt'> & { receivedAt: Date }>`
    SELECT i.id, c.name AS connection, i.kind, i.received_at, i.problem, i.detail
    FROM whatsapp_items i JOIN whatsapp_connections c ON c.id = i.connection_id
    WHERE ${isNotUnderstood(services.clock.now())} ORDER BY i.received_at DESC, i.number DESC LIMIT 50`.execute(
    services.db,
  )
  const { count } = await countItems(services)
  return { notUnderstood: count, items: rows.map((row) => ({ ...row, receivedAt: row.receivedAt.toISOString() })) }
}

/** Red for a day after the last item that was not understood, because its sender waits; then soon for a week. */
export async function measureWhatsapp(services: Services): Promise<MeasuredLine> {
  const { db, clock } = services
  const { count, lastAt } = await countItems(services)
  if (lastAt) {
    const ageMs = clock.now().getTime() - lastAt.getTime()
    const state = ageMs < dayMs ? 'red' : ageMs < 7 * dayMs ? 'soon' : 'ok'
    return {
      name: 'whatsapp',
      state,
      code: 'whatsapp-problems',
      facts: { notUnderstood: count, lastAt: lastAt.toISOString() },
    }
  }
  const received = await db.selectFrom('whatsappItems').select('id').limit(1).executeTakeFirst()
  return { name: 'whatsapp', state: 'ok', code: received ? 'whatsapp-understood' : 'whatsapp-none', facts: {} }
}

/** Resets items that were given up, so that the job, which runs every five minutes, tries them again. */
export const retryItems = ({ db }: Services, actor: Actor) =>
  db.transaction().execute(async (tx) => {
    // Items for another number, or without message and report, would give the same result at every attempt.
    const { rows } = await sql`UPDATE whatsapp_items SET handled_at = NULL
      WHERE problem IS NOT NULL AND problem <> 'other_number' AND kind <> 'notice' AND handled_at IS NOT NULL
      RETURNING id`.execute(tx)
    if (rows.length > 0)
      await recordAudit(tx, actor, { action: 'job.retry', on: { job: 'whatsapp' }, after: { retried: rows.length } })
    return { retried: rows.length }
  })
