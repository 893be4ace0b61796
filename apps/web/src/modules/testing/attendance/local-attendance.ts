import type { ScanKind } from '#domain/door/attendance.ts'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'
import { attendanceWith, containsWords, type TimedScan } from '#web/modules/door/waiting-scans.ts'

/** A scan waiting on the device: of a card, or of a participant chosen from the list. */
export type LocalScan = { kind: ScanKind; registrationId?: string; card?: string; reason?: string }

/**
 * Participants including this device's unanswered scans, by the server's rule. `offsetMs` corrects the device clock.
 */
export function withWaitingScans(
  participants: readonly Participant[],
  waiting: readonly TimedScan<LocalScan>[],
  deviceName: string,
  offsetMs: number,
): readonly Participant[] {
  return participants.map((participant) => {
    const scans = waiting.filter(({ data }) => data.registrationId === participant.registrationId)
    if (scans.length === 0) return participant
    const { status, arrivedAt, leftAt } = attendanceWith(knownScans(participant), scans, offsetMs)
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
export const findParticipants = (participants: readonly Participant[], search: string) =>
  participants.filter(({ name, code }) => containsWords(`${name} ${code}`, search))
