import { attendanceOf, type ScanKind } from '#domain/door/attendance.ts'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'

/** A scan waiting on the device: of a card, or of a participant chosen from the list. */
export type LocalScan = { kind: ScanKind; registrationId?: string; card?: string; reason?: string }

type TimedScan = { at: string; data: LocalScan }

/**
 * Participants including this device's unanswered scans, by the server's rule. `offsetMs` corrects the device clock.
 */
export function withWaitingScans(
  participants: readonly Participant[],
  waiting: readonly TimedScan[],
  deviceName: string,
  offsetMs: number,
): readonly Participant[] {
  return participants.map((participant) => {
    const scans = waiting.filter(({ data }) => data.registrationId === participant.registrationId)
    if (scans.length === 0) return participant
    const { status, arrivedAt, leftAt } = attendanceOf([
      ...knownScans(participant),
      ...scans.map(({ at, data }) => ({ kind: data.kind, at: new Date(Date.parse(at) + offsetMs) })),
    ])
    return {
      ...participant,
      status,
      arrivedAt: arrivedAt?.toISOString() ?? null,
      arrivedOn: arrivedAt?.toISOString() === participant.arrivedAt ? participant.arrivedOn : deviceName,
      leftAt: leftAt?.toISOString() ?? null,
    }
  })
}

/** The server's attendance as scans; an absence has no time of its own and comes before everything. */
const knownScans = ({ status, arrivedAt, leftAt }: Participant) => [
  ...(arrivedAt ? [{ kind: 'arrive' as const, at: new Date(arrivedAt) }] : []),
  ...(leftAt ? [{ kind: 'leave' as const, at: new Date(leftAt) }] : []),
  ...(status === 'absent' ? [{ kind: 'absent' as const, at: new Date(0) }] : []),
]

/** Participants whose name or code contains the words, in list order. */
export function findParticipants(participants: readonly Participant[], search: string) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return participants.filter(({ name, code }) => {
    const text = `${name} ${code}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
