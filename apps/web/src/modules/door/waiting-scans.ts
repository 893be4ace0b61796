import { attendanceOf, type ScanKind } from '#domain/door/attendance.ts'

type KnownScan = { kind: ScanKind; at: Date }
export type TimedScan<Scan> = { at: string; data: Scan }

/**
 * Attendance of a person including this device's unanswered scans, by the server's rule. `offsetMs` corrects the
 * device clock.
 */
export const attendanceWith = (
  known: readonly KnownScan[],
  waiting: readonly TimedScan<{ kind: ScanKind }>[],
  offsetMs: number,
) =>
  attendanceOf([
    ...known,
    ...waiting.map(({ at, data }) => ({ kind: data.kind, at: new Date(Date.parse(at) + offsetMs) })),
  ])

/** Whether the text contains every word of the search. */
export const containsWords = (text: string, search: string) =>
  search
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => text.toLowerCase().includes(word))
