import type { Arrival } from '#domain/door/sending.ts'
import type { CheckInList, Guest } from '#domain/events/check-in-endpoints.ts'
import { signedText, type Ticket } from '#domain/events/ticket.ts'
import { attendanceWith, containsWords, type TimedScan } from '#web/modules/door/waiting-scans.ts'

type WalkIn = {
  id: string
  name: string
  phone: string
  school: string
  grade: null
  consent: boolean
  language: 'id' | 'en'
}

/** A scan waiting on the device: of a ticket, a listed guest or a walk-in. */
export type LocalScan = {
  sessionId: string
  kind: 'arrive' | 'cancel'
  raw?: string
  visitorId?: string
  walkIn?: WalkIn
  force?: boolean
}

export type DoorGuest = Guest & { inSince: Arrival | null }

/**
 * Guests with their check-in for a session. Includes this device's scans without an answer yet, by the same rule as on
 * the server. `offsetMs` corrects the device's clock.
 */
export function guestsAtDoor(
  guests: readonly Guest[],
  waiting: readonly TimedScan<LocalScan>[],
  sessionId: string,
  deviceName: string,
  offsetMs: number,
): readonly DoorGuest[] {
  const here = waiting.filter(({ data }) => data.sessionId === sessionId)
  const known = new Set(guests.map(({ id }) => id))
  const added = here.flatMap(({ data: { walkIn } }): Guest[] =>
    walkIn && !known.has(walkIn.id)
      ? [
          {
            id: walkIn.id,
            name: walkIn.name,
            codeHash: '',
            school: walkIn.school || null,
            sessionId,
            state: 'registered',
            walkIn: true,
            checkIns: [],
          },
        ]
      : [],
  )
  return [...guests, ...added].map((guest) => {
    const read = guest.checkIns.find((one) => one.sessionId === sessionId)
    const scans = here.filter(({ data }) => (data.visitorId ?? data.walkIn?.id) === guest.id)
    if (scans.length === 0) return { ...guest, inSince: read ?? null }
    const known = read ? [{ kind: 'arrive' as const, at: new Date(read.at) }] : []
    const { arrivedAt } = attendanceWith(known, scans, offsetMs)
    const at = arrivedAt?.toISOString()
    return { ...guest, inSince: at ? { at, deviceName: at === read?.at ? read.deviceName : deviceName } : null }
  })
}

/** Guests matching by name, school or the hash of a typed code, in list order. */
export const findGuests = <G extends Guest>(guests: readonly G[], search: string, typedHash: string | null) =>
  guests.filter(
    ({ name, school, codeHash }) =>
      (typedHash !== null && codeHash === typedHash) || containsWords(`${name} ${school ?? ''}`, search),
  )

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0))

/** Whether a ticket is genuine for the event; null if this browser cannot verify it, or for a typed code. */
export async function isGenuine({ eventId, key }: CheckInList, { code, tag }: Ticket): Promise<boolean | null> {
  if (tag === null || !globalThis.crypto?.subtle) return null
  try {
    const publicKey = await crypto.subtle.importKey('raw', bytesOf(key), 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify(
      'Ed25519',
      publicKey,
      bytesOf(tag),
      new TextEncoder().encode(signedText(eventId, code)),
    )
  } catch {
    return null
  }
}
