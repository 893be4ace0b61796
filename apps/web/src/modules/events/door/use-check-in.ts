import { useMemo, useRef } from 'react'
import {
  type CheckInList,
  type CheckInResult,
  readCheckIns,
  recordCheckIns,
} from '#domain/events/check-in-endpoints.ts'
import { judgeScan } from '#domain/events/judge-scan.ts'
import { ticketIn } from '#domain/events/ticket.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import type { Device } from '#web/modules/door/device.ts'
import { hashOfCode } from '#web/modules/door/hash-of-code.ts'
import { doorReading, type LastScan, toSending, useDoor } from '#web/modules/door/use-door.ts'
import { guestsAtDoor, isGenuine, type LocalScan } from './local-door.ts'

/** Verdict on a scan, by the phone or the server. */
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
export type LastCheckIn = LastScan<Said, CheckInResult>

/** State of the check-in page, also offline: the server's list or the stored copy, with the waiting scans. */
export function useCheckIn(eventId: string, chosenSession: string | null, device: Device) {
  const answer = useEndpoint(readCheckIns, { params: { id: eventId } }, doorReading)
  const door = useDoor<CheckInList, LocalScan, CheckInResult, Said>({
    kind: 'event-door',
    id: eventId,
    answer,
    send: async (items) => {
      const results: CheckInResult[] = []
      for (const sessionId of new Set(items.map(({ data }) => data.sessionId))) {
        const scans = items
          .filter(({ data }) => data.sessionId === sessionId)
          .map(({ data: { sessionId: _, ...data }, ...item }) => ({ ...item, data }))
        const { data } = await sendOnce(recordCheckIns, {
          params: { id: eventId },
          body: { sessionId, ...toSending(device, scans) },
        })
        results.push(...data)
      }
      return results
    },
  })
  const { list, offsetMs, items } = door
  const sessions = list?.sessions ?? []
  const session = sessions.find(({ id }) => id === chosenSession) ?? nearest(sessions, Date.now() + offsetMs)
  const sessionId = session?.id ?? ''
  const guests = useMemo(
    () => guestsAtDoor(list?.guests ?? [], items, sessionId, device.name, offsetMs),
    [list, items, sessionId, device.name, offsetMs],
  )
  const present = useRef(guests)
  present.current = guests

  /** Checks a guest in; `force` allows one of another session. */
  async function checkIn(visitorId: string, force = false) {
    const guest = present.current.find(({ id }) => id === visitorId)
    if (guest?.inSince) return door.show({ said: 'already', personId: visitorId, before: guest.inSince })
    const outcome = judgeScan(guest, { kind: 'arrive', sessionId, isIn: false, forced: force })
    const said = outcome === 'recorded' && guest?.state === 'waiting' ? 'waiting' : outcome
    await door.record(
      { sessionId, kind: 'arrive', visitorId, ...(force && { force }) },
      { said: said as Said, personId: visitorId },
    )
  }

  /** Handles text read by the camera or typed. */
  async function scanText(raw: string) {
    const ticket = ticketIn(raw)
    const hash = ticket && (await hashOfCode(ticket.code))
    const guest = hash ? present.current.find(({ codeHash }) => codeHash === hash) : undefined
    if (guest) return checkIn(guest.id)
    const genuine = ticket && list ? await isGenuine(list, ticket) : null
    const said = !ticket ? 'unknown_ticket' : genuine === null ? 'unclear' : genuine ? 'notOnList' : 'forged'
    await door.record({ sessionId, kind: 'arrive', raw: raw.slice(0, 300) }, { said })
  }

  return {
    ...door,
    session,
    guests,
    checkIn,
    scanText,
    undo: (visitorId: string) =>
      door.record({ sessionId, kind: 'cancel', visitorId }, { said: 'undone', personId: visitorId }),
    /** Registers a walk-in and checks them in. */
    register: (walkIn: NonNullable<LocalScan['walkIn']>) =>
      door.record({ sessionId, kind: 'arrive', walkIn }, { said: 'recorded', personId: walkIn.id }),
  }
}

/** Verdict on a scan, the server's if it has answered, and the visitor and check-in that the server found. */
export function verdictOf({ said, result, personId, before }: LastCheckIn) {
  const person = { visitorId: result?.visitorId ?? personId, before: result?.first ?? before }
  // The server does not tell a forged ticket from another text, nor an undone check-in from a recorded one.
  const isKept =
    !result ||
    said === 'undone' ||
    (said === 'waiting' && result.outcome === 'recorded') ||
    (said === 'forged' && result.outcome === 'unknown_ticket')
  if (isKept) return { ...person, said }
  return { ...person, said: result.outcome === 'repeated' ? ('already' as const) : result.outcome }
}

/** The current session, otherwise the next one, otherwise the last. */
function nearest<S extends { endsAt: string }>(sessions: readonly S[], now: number): S | undefined {
  return sessions.find(({ endsAt }) => Date.parse(endsAt) > now) ?? sessions.at(-1)
}
