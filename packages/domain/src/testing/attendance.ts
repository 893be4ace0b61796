import { countedOutcomes } from '#domain/door/attendance.ts'

/** Results of a scan on the server; only the counted ones change the attendance. */
export const scanOutcomes = [...countedOutcomes, 'other_session', 'no_seat', 'not_eligible', 'unknown_card'] as const
export type ScanOutcome = (typeof scanOutcomes)[number]

/** Whole minutes after the start of the session; 0 if on time. */
export const minutesLate = (arrivedAt: Date, startsAt: Date) =>
  Math.max(0, Math.floor((arrivedAt.getTime() - startsAt.getTime()) / 60_000))

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
