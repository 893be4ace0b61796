import { useMemo, useRef, useState } from 'react'
import { scansPerRequest } from '#domain/door/sending.ts'
import { type CheckInResult, readCheckIns, recordCheckIns } from '#domain/events/check-in-endpoints.ts'
import { judgeScan } from '#domain/events/judge-scan.ts'
import { ticketIn } from '#domain/events/ticket.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import type { Device } from '#web/offline/door/device.ts'
import { hashOfCode } from '#web/offline/door/hash-of-code.ts'
import { type DoorTone, signal } from '#web/offline/door/signal.ts'
import { useKeptList } from '#web/offline/door/use-kept-list.ts'
import type { QueuedItem } from '#web/offline/queue.ts'
import { useQueue } from '#web/offline/use-queue.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { guestsAtDoor, isGenuine, type LocalScan } from './local-door.ts'

/** Interval between refetches, since other phones check people in meanwhile. */
const refetchPauseMs = 15_000

/** The phone's verdict on the last scan before the server has answered. */
export type Said =
  | 'recorded'
  | 'already'
  | 'undone'
  | 'other_session'
  | 'cancelled'
  | 'waiting'
  | 'unknown_ticket'
  | 'forged'
  | 'notOnList'
  | 'unclear'

export type LastScan = {
  id: string
  said: Said
  visitorId: string | null
  /** Time and device of the earlier check-in. */
  before: { at: string; deviceName: string } | null
  result: CheckInResult | null
}

export const toneOf: Record<Said, DoorTone> = {
  recorded: 'done',
  already: 'attention',
  undone: 'attention',
  waiting: 'attention',
  other_session: 'stopped',
  cancelled: 'stopped',
  unknown_ticket: 'stopped',
  forged: 'stopped',
  notOnList: 'attention',
  unclear: 'attention',
}

/** State of the check-in page, also offline: the server's list or the stored copy, with the waiting scans. */
export function useDoor(eventId: string, chosenSession: string | null, device: Device) {
  const { owner } = useSurroundings()
  const key = `event-door:${owner}:${eventId}`
  const answer = useEndpoint(
    readCheckIns,
    { params: { id: eventId } },
    { quietAs: 'attendance', networkMode: 'always', refetchInterval: refetchPauseMs },
  )
  const { list, offsetMs } = useKeptList(key, answer.data?.data, answer.dataUpdatedAt)
  const [last, setLast] = useState<LastScan | null>(null)
  const sessions = list?.sessions ?? []
  const session = sessions.find(({ id }) => id === chosenSession) ?? nearest(sessions, Date.now() + offsetMs)
  const sessionId = session?.id ?? ''

  const send = async (items: readonly QueuedItem<LocalScan>[]) => {
    const bySession = new Map<string, QueuedItem<LocalScan>[]>()
    for (const item of items) bySession.set(item.data.sessionId, [...(bySession.get(item.data.sessionId) ?? []), item])
    for (const [session, scans] of bySession) {
      const { data } = await sendOnce(recordCheckIns, {
        params: { id: eventId },
        body: {
          sessionId: session,
          device,
          sentAt: new Date().toISOString(),
          scans: scans.map(({ id, at, data: { sessionId: _, ...scan } }) => ({ id, at, ...scan })),
        },
      })
      setLast((present) => {
        const result = data.find(({ id }) => id === present?.id)
        return present && result ? withAnswer(present, result) : present
      })
    }
    await answer.refetch()
  }
  const queue = useQueue<LocalScan>({ topic: `event-door:${eventId}`, owner, batchSize: scansPerRequest, send })
  const guests = useMemo(
    () => guestsAtDoor(list?.guests ?? [], queue.items, sessionId, device.name, offsetMs),
    [list, queue.items, sessionId, device.name, offsetMs],
  )
  const present = useRef(guests)
  present.current = guests

  const say = (scan: Omit<LastScan, 'result'>) => {
    setLast({ ...scan, result: null })
    signal(toneOf[scan.said])
  }

  /** Checks a guest in; `force` allows one of another session. */
  async function checkIn(visitorId: string, force = false) {
    const guest = present.current.find(({ id }) => id === visitorId)
    if (guest?.inSince) return say({ id: '', said: 'already', visitorId, before: guest.inSince })
    const outcome = judgeScan(guest, { kind: 'arrive', sessionId, isIn: false, forced: force })
    const { id } = await queue.add({ sessionId, kind: 'arrive', visitorId, ...(force && { force }) })
    const said = outcome !== 'recorded' ? outcome : guest?.state === 'waiting' ? 'waiting' : 'recorded'
    say({ id, said: said as Said, visitorId, before: null })
  }

  async function undo(visitorId: string) {
    const { id } = await queue.add({ sessionId, kind: 'cancel', visitorId })
    say({ id, said: 'undone', visitorId, before: null })
  }

  /** Handles text read by the camera or typed. */
  async function scanText(raw: string) {
    const ticket = ticketIn(raw)
    const hash = ticket && (await hashOfCode(ticket.code))
    const guest = hash ? present.current.find(({ codeHash }) => codeHash === hash) : undefined
    if (guest) return checkIn(guest.id)
    const genuine = ticket && list ? await isGenuine(list, ticket) : null
    const said = !ticket ? 'unknown_ticket' : genuine === null ? 'unclear' : genuine ? 'notOnList' : 'forged'
    const { id } = await queue.add({ sessionId, kind: 'arrive', raw: raw.slice(0, 300) })
    say({ id, said, visitorId: null, before: null })
  }

  /** Registers a walk-in and checks them in. */
  async function register(walkIn: NonNullable<LocalScan['walkIn']>) {
    const { id } = await queue.add({ sessionId, kind: 'arrive', walkIn })
    say({ id, said: 'recorded', visitorId: walkIn.id, before: null })
  }

  return {
    list,
    session,
    guests,
    last,
    waiting: queue.items.length,
    /** Why the server refuses the waiting scans; null while offline. */
    refusal: queue.failure instanceof ApiError && queue.failure.status > 0 ? queue.failure : null,
    error: answer.error,
    isOffline: answer.isError || queue.failure !== null,
    retry: answer.refetch,
    checkIn,
    undo,
    scanText,
    register,
  }
}

/** Final verdict after the server has answered. */
function withAnswer(scan: LastScan, result: CheckInResult): LastScan {
  const said: Said =
    scan.said === 'undone'
      ? 'undone'
      : result.outcome === 'repeated'
        ? 'already'
        : result.outcome === 'recorded' && scan.said === 'waiting'
          ? 'waiting'
          : result.outcome === 'unknown_ticket' && scan.said === 'forged'
            ? 'forged'
            : result.outcome
  if (toneOf[said] !== toneOf[scan.said]) signal(toneOf[said])
  return { ...scan, said, visitorId: result.visitorId ?? scan.visitorId, before: result.first ?? scan.before, result }
}

/** The current session, otherwise the next one, otherwise the last. */
function nearest<S extends { endsAt: string }>(sessions: readonly S[], now: number): S | undefined {
  return sessions.find(({ endsAt }) => Date.parse(endsAt) > now) ?? sessions.at(-1)
}
