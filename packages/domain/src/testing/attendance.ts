export const scanKinds = ['arrive', 'leave', 'absent', 'cancel'] as const
export type ScanKind = (typeof scanKinds)[number]

/** Outcomes of a scan on the server; only the first two count for attendance. */
export const scanOutcomes = [
  'recorded',
  'repeated',
  'other_session',
  'no_seat',
  'not_eligible',
  'unknown_card',
] as const
export type ScanOutcome = (typeof scanOutcomes)[number]

export const countsAsAttendance = (outcome: ScanOutcome) => outcome === 'recorded' || outcome === 'repeated'

type Scan = { kind: ScanKind; at: Date }
export type Attendance = { status: 'booked' | 'attended' | 'absent'; arrivedAt: Date | null; leftAt: Date | null }

/**
 * Attendance from all scans of a participant, in any order of receipt: the first arrival and the last departure count,
 * and an arrival outweighs an absence. A cancellation removes the scans before it; an absence recorded at the same
 * instant stays.
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

/** Whole minutes after the start of the session; 0 if on time. */
export const minutesLate = (arrivedAt: Date, startsAt: Date) =>
  Math.max(0, Math.floor((arrivedAt.getTime() - startsAt.getTime()) / 60_000))

/** Time of a scan by the server's clock: the device's clock may be off by any amount, but runs evenly. */
export const serverTimeOf = (deviceAt: Date, sentAt: Date, receivedAt: Date) =>
  new Date(Math.min(receivedAt.getTime(), deviceAt.getTime() + receivedAt.getTime() - sentAt.getTime()))

/** Code on a registration or student card, taken from the URL in its QR code; other text is returned unchanged. */
export function cardCodeIn(text: string): string {
  const code = /\/verifikasi(?:-mahasiswa)?\/([^/?#\s]+)\s*$/.exec(text)?.[1]
  if (!code) return text.trim()
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}
