import type { Locale } from '#locales/index.ts'

export type SheetColumnKind = 'text' | 'number' | 'money' | 'sen' | 'date' | 'dateTime' | 'percent'

/** One column of a sheet. A share is a fraction: 0.25 stands for 25 %. Sen are shown as rupiah with two decimals. */
export type SheetColumn = { key: string; label: string; kind: SheetColumnKind; width?: number }

export type SheetRow = Record<string, unknown>

export type SheetOptions = { title: string; columns: readonly SheetColumn[]; language: Locale; timeZone: string }

export const isNumeric = (kind: SheetColumnKind) =>
  kind === 'number' || kind === 'money' || kind === 'sen' || kind === 'percent'

/** What a cell shows as plain text; lists are joined, nothing is empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(textOf).join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function numberOf(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string) {
  const known =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
  clocks.set(timeZone, known)
  return known
}

const hour = 3_600_000
const offsets = new Map<string, number>()
const mostOffsets = 10_000

/** How far the clock of a time zone is from UTC, asked once for every hour that occurs: asking is slow. */
function offsetAt(time: number, timeZone: string): number {
  const key = `${timeZone} ${Math.floor(time / hour)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const whole = Math.floor(time / 1000) * 1000
  const part = Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>
  const shown = Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!)
  if (offsets.size >= mostOffsets) offsets.clear()
  offsets.set(key, shown - whole)
  return shown - whole
}

/** `2026-11-27 23:59:00` on the wall clock of the university; null when it is no moment. */
export function wallTime(value: unknown, timeZone: string): string | null {
  const time = value instanceof Date ? value.getTime() : Date.parse(String(value))
  if (Number.isNaN(time)) return null
  return new Date(time + offsetAt(time, timeZone)).toISOString().slice(0, 19).replace('T', ' ')
}
