import { sql } from 'kysely'
import type { ChatEvent } from '#domain/chat/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { conversationsVisibleTo, isOffice, seesAll } from '#server/platform/access/row-scope.ts'
import type { Services } from '#server/platform/services.ts'

/** Milliseconds between two looks into the journal while somebody listens. */
const lookEveryMs = 150

/** Milliseconds after which a missing number of the journal counts as rolled back. */
const holeMs = 60_000

/** Numbers before the newest that a hub reads again when it starts, because their transactions may still be open. */
const readAgain = 200

/** Events in one look. */
const most = 2_000

/** One open stream. `send` gets the cursor to ask from after a cut, and what happened; null says that too much did. */
export type Listener = {
  actor: Actor
  send(cursor: string, events: readonly ChatEvent[] | null): void
}

export type Entry = {
  id: string
  conversationId: string
  kind: ChatEvent['kind']
  seq: number | null
  publicSeq: number | null
  accountId: string | null
  conversationKind: 'person' | 'room'
  personId: string | null
}

export type Hub = {
  /** Adds a listener that has missed everything above its cursor; the returned function removes it. */
  listen(listener: Listener, after?: string): Promise<() => void>
  count(): number
  stop(): void
}

/**
 * Reads the journal of the chat for all streams of this process. The journal is read by its numbers, and a transaction
 * with a lower number may commit later: missing numbers are looked for until they come or count as rolled back.
 */
export function createHub(services: Services): Hub {
  const { db, log } = services
  const listeners = new Set<Listener>()
  /** Highest number read, and when each lower number that has not come is given up. */
  let newest = 0n
  const holes = new Map<bigint, number>()
  let timer: NodeJS.Timeout | undefined
  let starting: Promise<void> | undefined
  let isStopped = false

  const cursor = () => String(holes.size === 0 ? newest : [...holes.keys()].sort((a, b) => Number(a - b))[0]! - 1n)

  async function begin() {
    const { rows } = await sql<{
      newest: string
    }>`SELECT coalesce(max(id), 0)::text AS newest FROM chat_events`.execute(db)
    newest = BigInt(rows[0]!.newest) - BigInt(readAgain)
    if (newest < 0n) newest = 0n
    holes.clear()
    await look(false)
    schedule()
  }

  function schedule() {
    clearTimeout(timer)
    if (isStopped || listeners.size === 0) return
    timer = setTimeout(async () => {
      try {
        while (await look(true));
      } catch (error) {
        log.warn({ err: error }, 'the journal of the chat could not be read')
      }
      schedule()
    }, lookEveryMs).unref()
  }

  /** Reads what is new and passes it on; true if there is more. */
  async function look(passesOn: boolean) {
    const now = Date.now()
    const missing = [...holes.keys()].map(String)
    const { rows } = await sql<Entry>`
      SELECT e.id::text AS id, e.conversation_id, e.kind, e.seq, e.public_seq, e.account_id,
        v.kind AS conversation_kind, v.account_id AS person_id
      FROM chat_events e JOIN conversations v ON v.id = e.conversation_id
      WHERE e.id > ${String(newest)}::bigint OR e.id = ANY(${missing}::bigint[])
      ORDER BY e.id LIMIT ${most}`.execute(db)
    for (const [id, until] of holes) if (until < now) holes.delete(id)
    for (const { id } of rows) {
      const number = BigInt(id)
      holes.delete(number)
      if (number <= newest) continue
      const from = number - newest > 10_000n ? number - 10_000n : newest + 1n
      for (let hole = from; hole < number; hole++) holes.set(hole, now + holeMs)
      newest = number
    }
    if (rows.length > 0 && passesOn) await passOn([...listeners], rows)
    return rows.length === most
  }

  /** Sends to each listener what it sees; limited roles are asked for once per role. */
  async function passOn(receivers: readonly Listener[], entries: readonly Entry[]) {
    const visibleByRole = new Map<string, Set<string> | null>()
    for (const { actor } of receivers)
      if (!visibleByRole.has(actor.role.id)) visibleByRole.set(actor.role.id, await visibleIds(actor, entries))
    const position = cursor()
    for (const listener of receivers) {
      const visible = visibleByRole.get(listener.actor.role.id)!
      const events = entries.flatMap((entry) => toEvent(listener.actor, visible, entry))
      if (events.length > 0) listener.send(position, events)
    }
  }

  /** Conversations of these entries that staff of a limited role see; null for all. */
  async function visibleIds(actor: Actor, entries: readonly Entry[]) {
    if (!isOffice(actor) || seesAll(actor)) return null
    const ids = [...new Set(entries.map(({ conversationId }) => conversationId))]
    const { rows } = await sql<{ id: string }>`SELECT v.id FROM conversations v
      WHERE v.id = ANY(${ids}::uuid[]) AND ${conversationsVisibleTo(actor)}`.execute(db)
    return new Set(rows.map(({ id }) => id))
  }

  /** What a listener missed since its cursor; null where it is too much or the cursor is unknown. */
  async function missedBy(actor: Actor, after: string): Promise<ChatEvent[] | null> {
    if (!/^\d{1,18}$/.test(after) || BigInt(after) > newest) return null
    const { rows: oldest } = await sql<{ id: string | null }>`SELECT min(id)::text AS id FROM chat_events`.execute(db)
    if (oldest[0]!.id !== null && BigInt(oldest[0]!.id) > BigInt(after) + 1n) return null
    const { rows } = await sql<Entry>`
      SELECT e.id::text AS id, e.conversation_id, e.kind, e.seq, e.public_seq, e.account_id,
        v.kind AS conversation_kind, v.account_id AS person_id
      FROM chat_events e JOIN conversations v ON v.id = e.conversation_id
      WHERE e.id > ${after}::bigint AND e.kind <> 'writing' ORDER BY e.id LIMIT ${most}`.execute(db)
    if (rows.length === most) return null
    const visible = await visibleIds(actor, rows)
    return rows.flatMap((entry) => toEvent(actor, visible, entry))
  }

  return {
    async listen(listener, after) {
      if (listeners.size === 0) starting = begin()
      listeners.add(listener)
      try {
        await starting
        schedule()
        const missed = after === undefined ? [] : await missedBy(listener.actor, after)
        listener.send(cursor(), missed)
      } catch (error) {
        listeners.delete(listener)
        throw error
      }
      return () => {
        listeners.delete(listener)
      }
    },
    count: () => listeners.size,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/**
 * An entry as its reader may know it. A person learns of public messages in the own conversation, by their own numbers;
 * staff of every message, reader and writer.
 */
export function toEvent(actor: Actor, visible: ReadonlySet<string> | null, entry: Entry): ChatEvent[] {
  const { conversationId: conversation, kind, seq, publicSeq, accountId, conversationKind, personId } = entry
  if (isOffice(actor))
    return visible === null || visible.has(conversation) ? [{ conversation, kind, seq, by: accountId }] : []
  if (conversationKind !== 'person' || personId !== actor.accountId) return []
  if (kind === 'state' || (kind === 'message' && publicSeq === null)) return []
  // An office that reads or writes has no name for the person.
  const by = accountId === actor.accountId ? accountId : null
  return [{ conversation, kind, seq: publicSeq, by }]
}
