export const scanKinds = ['arrive', 'leave', 'absent', 'cancel'] as const
export type ScanKind = (typeof scanKinds)[number]

/** Outcomes of scans that count for attendance; each door adds its reasons for refusing. */
export const countedOutcomes = ['recorded', 'repeated'] as const
type CountedOutcome = (typeof countedOutcomes)[number]

export const countsAsAttendance = (outcome: string): outcome is CountedOutcome =>
  countedOutcomes.includes(outcome as CountedOutcome)

type Scan = { kind: ScanKind; at: Date }
export type Attendance = { status: 'booked' | 'attended' | 'absent'; arrivedAt: Date | null; leftAt: Date | null }

/**
 * Attendance from all scans of a person at a door, in any order of receipt: the first arrival and the last departure
 * count, and an arrival outweighs an absence. A cancellation removes the scans before it; an absence recorded at the
 * same instant stays.
 */
export function attendanceOf(scans: readonly Scan[]): Attendance {
  const times = (kind: ScanKind) => scans.filter((scan) => scan.kind === kind).map(({ at }) => at.getTime())
  const cancelledAt = Math.max(...times('cancel'), Number.NEGATIVE_INFINITY)
  const arrivedAt = Math.min(...times('arrive').filter((at) => at > cancelledAt))
  if (arrivedAt !== Number.POSITIVE_INFINITY) {
    const leftAt = Math.max(...times('leave').filter((at) => at >= arrivedAt))
    return {
      status: 'attended',
      arrivedAt: new Date(arrivedAt),
      leftAt: leftAt === Number.NEGATIVE_INFINITY ? null : new Date(leftAt),
    }
  }
  const absent = times('absent').some((at) => at >= cancelledAt)
  return { status: absent ? 'absent' : 'booked', arrivedAt: null, leftAt: null }
}

/** Time of a scan by the server's clock: the device's clock may be off by any amount, but runs evenly. */
export const serverTimeOf = (deviceAt: Date, sentAt: Date, receivedAt: Date) =>
  new Date(Math.min(receivedAt.getTime(), deviceAt.getTime() + receivedAt.getTime() - sentAt.getTime()))
