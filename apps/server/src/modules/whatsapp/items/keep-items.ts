import { sql } from 'kysely'
import type { WhatsappItemKind } from '#domain/whatsapp/items.ts'
import type { Context } from '#server/platform/use-case.ts'
import type { NewItem } from './take-apart.ts'

/** Event of each stored message: `{ id }`. */
export const whatsappReceived = 'whatsapp.received'

/**
 * Stores the items of a notice unchanged and in order; an item that Meta repeats is stored once. Returns the new items
 * that still have to be processed.
 */
export async function keepItems(
  { tx, services: { jobs }, now }: Omit<Context, 'actor'>,
  connectionId: string,
  items: readonly NewItem[],
): Promise<{ id: string; kind: WhatsappItemKind }[]> {
  const rows = items.map(({ raw, userId, isSettled, ...item }, position) => ({
    ...item,
    position,
    user_id: userId,
    raw: raw.toString('hex'),
    handled_at: isSettled ? now : null,
  }))
  // Inserted in key order, so that two parallel notices cannot deadlock on each other's keys.
  const { rows: newItems } = await sql<{ id: string; kind: WhatsappItemKind; isOpen: boolean }>`
    WITH numbered AS MATERIALIZED (
      SELECT nextval(pg_get_serial_sequence('whatsapp_items', 'number')) AS number, ordered.* FROM (
        SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (position int, kind text, key text, phone text,
          user_id text, raw text, problem text, handled_at timestamptz) ORDER BY position) ordered)
    INSERT INTO whatsapp_items (number, connection_id, kind, key, phone, user_id, raw, problem, handled_at, received_at)
    OVERRIDING SYSTEM VALUE
    SELECT number, ${connectionId}, kind, key, phone, user_id, decode(raw, 'hex'), problem, handled_at, ${now}
    FROM numbered ORDER BY kind, key
    ON CONFLICT DO NOTHING RETURNING id, kind, handled_at IS NULL AS is_open`.execute(tx)
  const open = newItems.filter(({ isOpen }) => isOpen)
  const messages = open.filter(({ kind }) => kind === 'message')
  await jobs.publishMany(
    tx,
    whatsappReceived,
    messages.map(({ id }) => ({ id })),
  )
  return open
}
