import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { recordEvent } from './append-message.ts'

/** Unread messages are counted up to this number, which the inbox shows as “99+”. */
const maxUnread = 100

/**
 * SQL count of the messages that account `accountId` has not read in conversation `v`, at most `maxUnread`. `k` is the
 * account's read mark.
 */
export const unreadBy = (accountId: string) => sql<number>`(SELECT count(*)::int FROM (
  SELECT FROM chat_messages u WHERE u.conversation_id = v.id AND u.seq > coalesce(k.seq, 0)
    AND u.author_id IS DISTINCT FROM ${accountId} AND (k.also_read @> u.seq) IS NOT TRUE LIMIT ${maxUnread}) news)`

/** Counts answers after the applicant's read mark, at most `maxUnread`. */
export async function unreadAnswers(db: Db, conversationId: string, mark: number): Promise<number> {
  const { rows } = await sql<{ unread: number }>`SELECT count(*)::int AS unread FROM (SELECT FROM chat_messages
    WHERE conversation_id = ${conversationId} AND public_seq > ${mark} AND author <> 'person' LIMIT ${maxUnread}) news`.execute(
    db,
  )
  return theOnly(rows).unread
}

type Mark = { conversationId: string; accountId: string; seq: number; lastSeq: number }

/** Saves how far an account has read. The mark does not move back, nor past `lastSeq`. */
export const markRead = (db: Db, { conversationId, accountId, seq, lastSeq }: Mark, now: Date) =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ seq: number }>`
      INSERT INTO chat_marks (conversation_id, account_id, seq, at)
      VALUES (${conversationId}, ${accountId}, ${Math.min(seq, lastSeq)}, ${now})
      ON CONFLICT (conversation_id, account_id) DO UPDATE SET seq = excluded.seq, at = excluded.at
        WHERE chat_marks.seq < excluded.seq
      RETURNING seq`.execute(tx)
    if (rows[0]) await recordEvent(tx, { conversationId, kind: 'read', accountId }, now)
    return { seq: rows[0]?.seq ?? Math.min(seq, lastSeq) }
  })

/**
 * Copies the read marks of conversation `fromId`, whose messages were appended to `into` after `into.lastSeq`. The
 * marks become ranges in `also_read`, because earlier messages of `into` may be unread.
 */
export const joinMarks = (tx: Tx, fromId: string, into: { id: string; lastSeq: number }) =>
  sql`INSERT INTO chat_marks AS k (conversation_id, account_id, seq, also_read, at)
    SELECT ${into.id}, account_id, 0, int4multirange(int4range(${into.lastSeq}::int, ${into.lastSeq}::int + seq, '(]'))
      + coalesce((SELECT range_agg(int4range(lower(r) + ${into.lastSeq}::int, upper(r) + ${into.lastSeq}::int))
        FROM unnest(also_read) r), '{}'), at
    FROM chat_marks WHERE conversation_id = ${fromId}
    ON CONFLICT (conversation_id, account_id) DO UPDATE
      SET also_read = k.also_read + excluded.also_read, at = greatest(k.at, excluded.at)`.execute(tx)
