import { calendarOf } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'

export type SheetColumnKind = 'text' | 'number' | 'money' | 'sen' | 'date' | 'dateTime' | 'percent'

/** One column of a sheet. A share is a fraction: 0.25 means 25 %. Sen are shown as rupiah with two decimals. */
export type SheetColumn = { key: string; label: string; kind: SheetColumnKind; width?: number }

export type SheetRow = Record<string, unknown>

export type SheetOptions = { title: string; columns: readonly SheetColumn[]; language: Language; timeZone: string }

export const isNumeric = (kind: SheetColumnKind) =>
  kind === 'number' || kind === 'money' || kind === 'sen' || kind === 'percent'

/** A value as plain text: lists are joined with semicolons, null is empty. */
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

/** `2026-11-27 23:59:00` in the time zone; null if the value is not a moment. */
export function wallTime(value: unknown, timeZone: string): string | null {
  const moment = value instanceof Date ? value : new Date(String(value))
  return Number.isNaN(moment.getTime()) ? null : calendarOf(timeZone).wallTime(moment)
}

/** 0 → A, 26 → AA. */
export function columnLetter(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

/** `C12` → 2; −1 for a cell without a reference. */
export function columnIndex(reference: string | undefined): number {
  let column = 0
  for (const sign of reference ?? '') {
    if (sign < 'A' || sign > 'Z') break
    column = column * 26 + sign.charCodeAt(0) - 64
  }
  return column - 1
}
