import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ChatEvent } from '#domain/chat/endpoints.ts'
import { mustGet } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { conversationsVisibleTo, isOffice, seesAll } from '#server/platform/access/row-scope.ts'
import type { Services } from '#server/platform/services.ts'
import { createJournal, type Entry, findMissed } from './journal.ts'

/** Interval between reads of the journal while a stream is open. */
const lookEveryMs = 150

/**
 * An open stream. `send` passes on events and the cursor from which the client resumes after a cut. Null instead of
 * events makes the client reload.
 */
export type Listener = {
  actor: Actor
  send(cursor: string, events: readonly ChatEvent[] | null): void
}

type Numbered = { id: string; event: ChatEvent }

type Seat = {
  listener: Listener
  /**
   * Events held back until the listener has the events that it missed; undefined afterwards. Null if passing on events
   * failed meanwhile, so the client must reload.
   */
  held: Numbered[] | null | undefined
  /** Ids of journal entries that `catchUp` sent before `passOn` got them. `passOn` must not send them again. */
  ahead: Set<string>
}

export type Hub = {
  /**
   * Adds a listener. If `after` is given, sends the listener the events after this cursor, or makes the client reload.
   * Returns a function that removes the listener.
   */
  listen(listener: Listener, after?: string): Promise<() => void>
  count(): number
  stop(): void
}

/**
 * Creates a hub, which reads new journal entries once for all streams. A listener gets the events that its actor may
 * see.
 */
export function createHub(services: Services): Hub {
  const { db, log, clock } = services
  const journal = createJournal(db)
  const seats = new Set<Seat>()
  /** Resolves once the read loop knows where to start in the journal; undefined while no loop runs. */
  let reading: Promise<void> | undefined
  let isStopped = false

  async function readOn() {
    while (!isStopped && seats.size > 0) {
      await sleep(lookEveryMs, undefined, { ref: false })
      try {
        while (await passOnNews());
      } catch (error) {
        log.warn({ err: error }, 'the journal of the chat could not be read')
      }
    }
    reading = undefined
  }

  function read() {
    reading ??= journal.startAtNewest().then(
      () => void readOn(),
      (error) => {
        reading = undefined
        throw error
      },
    )
    return reading
  }

  async function passOnNews() {
    const { entries, more } = await journal.look()
    if (entries.length > 0)
      await passOn(entries).catch((error) => {
        log.warn({ err: error }, 'events of the chat could not be passed on')
        for (const seat of seats)
          if (seat.held === undefined) seat.listener.send(journal.cursor(), null)
          else seat.held = null
      })
    return more
  }

  async function passOn(entries: readonly Entry[]) {
    // Copy seats and actors first, because heartbeats and new listeners change both during the queries below.
    const receivers = [...seats].map((seat) => ({ seat, actor: seat.listener.actor }))
    const visibleByRole = new Map<string, ReadonlySet<string> | null>()
    for (const { actor } of receivers)
      if (!visibleByRole.has(actor.role.id)) visibleByRole.set(actor.role.id, await visibleIds(actor, entries))
    for (const { seat, actor } of receivers) {
      const events = eventsFor(actor, mustGet(visibleByRole, actor.role.id), entries).filter(
        ({ id }) => !seat.ahead.delete(id),
      )
      if (seat.held === undefined && events.length > 0)
        seat.listener.send(
          journal.cursor(),
          events.map(({ event }) => event),
        )
      else seat.held?.push(...events)
    }
  }

  /** Ids of the conversations in `entries` that staff with a limited role may see; null for other actors. */
  async function visibleIds(actor: Actor, entries: readonly Entry[]) {
    if (!isOffice(actor) || seesAll(actor)) return null
    const ids = [...new Set(entries.map(({ conversationId }) => conversationId))]
    const { rows } = await sql<{ id: string }>`SELECT v.id FROM conversations v
      WHERE v.id = ANY(${ids}::uuid[]) AND ${conversationsVisibleTo({ ...actor, at: clock.now() })}`.execute(db)
    return new Set(rows.map(({ id }) => id))
  }

  /** Sends the missed events and those held back meanwhile. Makes the client reload if either is null. */
  async function catchUp(seat: Seat, after: string) {
    const { listener } = seat
    const { actor } = listener
    const entries = await findMissed(db, actor, after)
    const missed = entries && eventsFor(actor, await visibleIds(actor, entries), entries)
    const known = new Set(missed?.map(({ id }) => id))
    const later = seat.held?.filter(({ id }) => !known.has(id))
    seat.held = undefined
    seat.ahead = new Set([...known].filter((id) => !journal.hasRead(id)))
    listener.send(journal.cursor(), missed && later ? [...missed, ...later].map(({ event }) => event) : null)
  }

  return {
    async listen(listener, after) {
      const seat: Seat = { listener, held: [], ahead: new Set() }
      seats.add(seat)
      try {
        await read()
        if (after !== undefined) await catchUp(seat, after)
        else {
          seat.held = undefined
          listener.send(journal.cursor(), [])
        }
      } catch (error) {
        seats.delete(seat)
        throw error
      }
      return () => {
        seats.delete(seat)
      }
    },
    count: () => seats.size,
    stop() {
      isStopped = true
    },
  }
}

const eventsFor = (actor: Actor, visible: ReadonlySet<string> | null, entries: readonly Entry[]): Numbered[] =>
  entries.flatMap((entry) => {
    const event = toEvent(actor, visible, entry)
    return event ? [{ id: entry.id, event }] : []
  })

/**
 * Converts an entry to an event; undefined if the conversation was deleted or the actor may not know about the entry.
 * Applicants get neither messages without a public number nor state changes.
 */
export function toEvent(actor: Actor, visible: ReadonlySet<string> | null, entry: Entry): ChatEvent | undefined {
  const { conversationId: conversation, kind, seq, publicSeq, accountId, conversationKind, personId } = entry
  if (conversationKind === null) return
  if (isOffice(actor))
    return visible === null || visible.has(conversation) ? { conversation, kind, seq, by: accountId } : undefined
  if (conversationKind !== 'person' || personId !== actor.accountId) return
  if (kind === 'state' || (kind === 'message' && publicSeq === null)) return
  // Applicants do not learn which agent reads or types.
  const by = accountId === actor.accountId ? accountId : null
  return { conversation, kind, seq: publicSeq, by }
}
