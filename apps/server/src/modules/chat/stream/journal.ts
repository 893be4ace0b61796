import { type RawBuilder, sql } from 'kysely'
import type { ChatEvent } from '#domain/chat/endpoints.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isOffice } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'

/** A row of the journal with its conversation; `conversationKind` is null if the conversation was deleted. */
export type Entry = {
  id: string
  conversationId: string
  kind: ChatEvent['kind']
  seq: number | null
  publicSeq: number | null
  accountId: string | null
  conversationKind: 'person' | 'room' | null
  personId: string | null
}

/** Maximum new entries per read. A stream that missed this many must reload. */
const maxEntries = 2_000

/** Maximum missing ids to remember in the gap before an entry (see `createJournal`). */
const lookBack = 10_000n

const columns = sql`e.id::text AS id, e.conversation_id, e.kind, e.seq, e.public_seq, e.account_id`
const withConversation = (entries: RawBuilder<unknown>) => sql`
  SELECT e.*, v.kind AS conversation_kind, v.account_id AS person_id
  FROM (${entries}) e LEFT JOIN conversations v ON v.id = e.conversation_id`

export type Journal = {
  startAtNewest(): Promise<void>
  /**
   * Reads entries that became visible since the last look. If `more`, another look may find further entries at once.
   */
  look(): Promise<{ entries: Entry[]; more: boolean }>
  hasRead(id: string): boolean
  /** Last id before the first missing id, or the newest id if none is missing. A stream resumes after it. */
  cursor(): string
}

/**
 * Reads new journal entries. An entry takes its id before its transaction commits, so it may appear after an entry with
 * a higher id. Missing ids are therefore read again until every transaction that could have taken them has ended. This
 * works only for transactions that change or lock another row before they write their entry. Transactions that write an
 * entry of kind `writing` skip this, because losing such an entry does no harm.
 */
export function createJournal(db: Db): Journal {
  let newest = 0n
  /** Missing ids, each with the next transaction id when the gap was found. */
  const missing = new Map<bigint, bigint>()

  function addMissing(from: bigint, until: bigint, nextTransaction: bigint) {
    const first = until - from > lookBack ? until - lookBack : from
    for (let number = first; number < until; number++) missing.set(number, nextTransaction)
  }

  return {
    async startAtNewest() {
      missing.clear()
      const { rows } = await sql<{ next: string; newest: string | null; ids: string[] }>`
        SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, (SELECT max(id)::text FROM chat_events) AS newest,
          ARRAY(SELECT id::text FROM chat_events WHERE id > (SELECT max(id) FROM chat_events) - ${String(lookBack)}::bigint
            ORDER BY id) AS ids`.execute(db)
      const { next, newest: last, ids } = theOnly(rows)
      newest = BigInt(last ?? 0)
      let expected = ids[0] ? BigInt(ids[0]) : 0n
      for (const id of ids) {
        addMissing(expected, BigInt(id), BigInt(next))
        expected = BigInt(id) + 1n
      }
    },

    async look() {
      const { rows } = await sql<{ oldest: string; next: string } & Entry>`
        SELECT s.oldest, s.next, j.*
        FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
            pg_snapshot_xmax(pg_current_snapshot())::text AS next) s
          LEFT JOIN (${withConversation(sql`
            (SELECT ${columns} FROM chat_events e WHERE e.id > ${String(newest)}::bigint ORDER BY e.id LIMIT ${sql.lit(maxEntries)})
            UNION ALL
            (SELECT ${columns} FROM chat_events e WHERE e.id = ANY(${[...missing.keys()].map(String)}::bigint[]))`)}) j ON true`.execute(
        db,
      )
      const snapshot = rows[0]!
      const [oldest, next] = [BigInt(snapshot.oldest), BigInt(snapshot.next)]
      const entries = rows
        .filter(({ id }) => id !== null)
        .sort((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
      const before = newest
      for (const { id } of entries) {
        const number = BigInt(id)
        if (number <= before) missing.delete(number)
        else {
          addMissing(newest + 1n, number, next)
          newest = number
        }
      }
      // `oldest`, the oldest running transaction, and the rows are from one snapshot. An id still missing once all
      // transactions before `begin` have ended counts as rolled back.
      for (const [number, begin] of missing) if (begin <= oldest) missing.delete(number)
      return { entries, more: entries.filter(({ id }) => BigInt(id) > before).length === maxEntries }
    },

    hasRead: (id) => BigInt(id) <= newest && !missing.has(BigInt(id)),

    cursor() {
      let first = newest + 1n
      for (const number of missing.keys()) if (number < first) first = number
      return String(first - 1n)
    },
  }
}

/**
 * Reads the entries after a cursor, without those of kind `writing`. Applicants get only entries of their own
 * conversation. Null if the cursor is outside the journal or at least `maxEntries` such entries follow.
 */
export async function findMissed(db: Db, actor: Actor, after: string): Promise<Entry[] | null> {
  if (!/^\d{1,18}$/.test(after)) return null
  const { rows: bounds } = await sql<{ oldest: string | null; newest: string | null }>`
    SELECT min(id)::text AS oldest, max(id)::text AS newest FROM chat_events`.execute(db)
  const { oldest, newest } = theOnly(bounds)
  if (oldest === null || newest === null) return after === '0' ? [] : null
  if (BigInt(after) > BigInt(newest) || BigInt(after) + 1n < BigInt(oldest)) return null
  const own = sql`AND e.conversation_id IN (SELECT c.id FROM conversations c WHERE c.account_id = ${actor.accountId})`
  const { rows } = await sql<Entry>`${withConversation(sql`
    SELECT ${columns} FROM chat_events e
    WHERE e.id > ${after}::bigint AND e.kind <> 'writing' ${isOffice(actor) ? sql`` : own}
    ORDER BY e.id LIMIT ${sql.lit(maxEntries)}`)}`.execute(db)
  return rows.length === maxEntries ? null : rows.sort((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
}
