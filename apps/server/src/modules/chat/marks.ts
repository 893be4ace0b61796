import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { recordEvent } from './append-message.ts'

type Mark = { conversationId: string; accountId: string; seq: number; lastSeq: number }

/** Notes how far an account has read; a mark never goes back and never beyond the last message. */
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
