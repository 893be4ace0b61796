import { calendarOf } from '#domain/calendar.ts'
import type { Field } from '#entities/define/field.ts'

import { unwrapText } from '#server/platform/sheets/csv-writer.ts'
import type { Cell } from '#server/platform/sheets/sheet-reader.ts'

/** Key of a sentence in the namespace `transfer`, with its values. */
export type Fault = { key: string; params?: Record<string, unknown> }
export type ReadCell = { value: unknown } | { fault: Fault }

const fault = (key: string, params?: Record<string, unknown>): ReadCell => ({
  fault: { key, ...(params && { params }) },
})

/** Text of a cell, without the apostrophe that stops formulas from running. */
export const textOfCell = (cell: Cell | undefined): string => unwrapText(String(cell ?? '').replace(/\u00A0/g, ' '))

const groupedDigits = /^-?\d{1,3}([.,]\d{3})+$/

/** Reads whole numbers: `1.000.000`, `Rp 1.000.000,00`, `1,000,000`. */
function wholeNumber(text: string): number | null {
  const stripped = text
    .replace(/^rp\.?\s*/i, '')
    .replace(/\s/g, '')
    .replace(/,-$/, '')
  const digits = groupedDigits.test(stripped)
    ? stripped.replace(/[.,]/g, '')
    : /^-?\d{1,3}(\.\d{3})+,00?$/.test(stripped) || /^-?\d{1,3}(,\d{3})+\.00?$/.test(stripped)
      ? stripped.replace(/[.,]\d+$/, '').replace(/[.,]/g, '')
      : stripped.replace(/[.,]0+$/, '')
  return /^-?\d{1,15}$/.test(digits) ? Number(digits) : null
}

/** Whether a number such as `1.500` may mean one and a half or one and a half thousand. */
export const isAmbiguousNumber = (text: string) => /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text)

/** Reads `3,25` and `3.25`; `1.500` is ambiguous, so it is a fault. */
function decimalNumber(text: string): ReadCell {
  const stripped = text.replace(/^rp\.?\s*/i, '').replace(/\s/g, '')
  if (isAmbiguousNumber(stripped)) return fault('ambiguous_number')
  if (/^-?\d+([.,]\d+)?$/.test(stripped)) return { value: Number(stripped.replace(',', '.')) }
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(stripped))
    return { value: Number(stripped.replaceAll('.', '').replace(',', '.')) }
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(stripped)) return { value: Number(stripped.replaceAll(',', '')) }
  return fault('not_number')
}

/** A cell typed as a number; undefined for text and for numbers a sheet cannot hold exactly, such as `1E+30`. */
const typedNumber = (cell: Cell): number | undefined =>
  typeof cell === 'number' && Math.abs(cell) <= Number.MAX_SAFE_INTEGER ? cell : undefined

function numeric(cell: Cell, text: string): ReadCell {
  const value = typedNumber(cell)
  return value === undefined ? decimalNumber(text.replace(/%$/, '')) : { value }
}

const monthNames = [
  ['jan', 'january', 'januari'],
  ['feb', 'february', 'februari', 'peb', 'pebruari'],
  ['mar', 'march', 'maret'],
  ['apr', 'april'],
  ['may', 'mei'],
  ['jun', 'june', 'juni'],
  ['jul', 'july', 'juli'],
  ['aug', 'august', 'agu', 'agt', 'ags', 'agustus'],
  ['sep', 'sept', 'september'],
  ['oct', 'october', 'okt', 'oktober'],
  ['nov', 'november', 'nopember', 'nop'],
  ['dec', 'december', 'des', 'desember'],
]
const monthOf = (name: string) => monthNames.findIndex((names) => names.includes(name.toLowerCase())) + 1
const twoDigits = (part: number) => String(part).padStart(2, '0')

/** Reads `2026-11-27`, `27/11/2026`, `27-11-2026`, `27.11.2026`, `27 November 2026`: the day comes before the month. */
export function readDay(text: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const local = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text)
  const withMonthName = /^(\d{1,2})[ -]([a-z]+)\.?[ -](\d{4})$/i.exec(text)
  const day = iso
    ? `${iso[1]}-${twoDigits(Number(iso[2]))}-${twoDigits(Number(iso[3]))}`
    : local
      ? `${local[3]}-${twoDigits(Number(local[2]))}-${twoDigits(Number(local[1]))}`
      : withMonthName
        ? `${withMonthName[3]}-${twoDigits(monthOf(withMonthName[2]!))}-${twoDigits(Number(withMonthName[1]))}`
        : null
  if (!day) return null
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? day : null
}

const clock = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?$/

function timeOf(text: string): string | null {
  const match = clock.exec(text)
  return match && Number(match[1]) < 24 && Number(match[2]) < 60 ? `${twoDigits(Number(match[1]))}:${match[2]}` : null
}

/** The three time zones of Indonesia (Keputusan Presiden 41/1987). */
const zones: Record<string, string> = { WIB: 'Asia/Jakarta', WITA: 'Asia/Makassar', WIT: 'Asia/Jayapura' }

function dateTimeOf(text: string, timeZone: string): ReadCell {
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)))
    return { value: new Date(text).toISOString() }
  const match =
    /^(.*?\d{4}|\d{4}-\d{1,2}-\d{1,2})(?:[ T,]+(\d{1,2}[:.]\d{2}(?:[:.]\d{2})?))?(?:[ (]+(WIB|WITA|WIT)\)?)?$/i.exec(
      text,
    )
  const day = match && readDay(match[1]!.trim())
  const time = match?.[2] ? timeOf(match[2]) : '00:00'
  const seconds = clock.exec(match?.[2] ?? '')?.[3] ?? '00'
  return day && time && Number(seconds) < 60
    ? {
        value: calendarOf(zones[match[3]?.toUpperCase() ?? ''] ?? timeZone)
          .momentOf(`${day} ${time}:${seconds}`)
          .toISOString(),
      }
    : fault('not_date_time')
}

const yesWords = new Set(['true', 'yes', 'y', 'ya', '1', 'benar', 'aktif', 'active', 'x', 'v', '✓'])
const noWords = new Set(['false', 'no', 'n', 'tidak', 'tdk', '0', 'salah', 'nonaktif', 'tidak aktif', 'inactive', '-'])

/** Errors that spreadsheet programs show in place of a formula's result. */
const formulaErrors = new Set(['#N/A', '#NAME?', '#NULL!', '#NUM!', '#REF!', '#VALUE!', '#DIV/0!', '#SPILL!', '#CALC!'])

type ChoiceField = Extract<Field, { kind: 'choice' | 'multiChoice' }>

function choiceOf(field: ChoiceField, text: string): string | null {
  const lowered = text.toLowerCase()
  for (const [key, label] of Object.entries(field.choices))
    if ([key, label.en, label.id].some((name) => name.toLowerCase() === lowered)) return key
  return null
}

/** Splits a list in a cell by semicolons or new lines, or by `comma` if there are neither. */
const partsOf = (text: string, comma: RegExp) =>
  text
    .split(/[;\n]/.test(text) ? /[;\n]/ : comma)
    .map((part) => part.trim())
    .filter((part) => part !== '')

function readList<T>(parts: string[], read: (part: string) => T | null, otherwise: (part: string) => Fault): ReadCell {
  const values: T[] = []
  for (const part of parts) {
    const value = read(part)
    if (value === null) return { fault: otherwise(part) }
    values.push(value)
  }
  return { value: values }
}

/** Reads a cell's value for a field, before the field's own rules. References stay texts. */
export function readCell(field: Field, cell: Cell, timeZone: string): ReadCell {
  const text = textOfCell(cell)
  if (formulaErrors.has(text)) return fault('formula_error', { value: text })
  switch (field.kind) {
    case 'phone':
      // Spreadsheets drop the leading zero of a number.
      return { value: typeof cell === 'number' && text.startsWith('8') ? `0${text}` : text }
    case 'integer': {
      const value = typedNumber(cell) ?? wholeNumber(text)
      return value === null ? fault('not_number') : { value }
    }
    case 'money': {
      const value = typedNumber(cell) ?? wholeNumber(text)
      return value === null ? fault('not_money') : { value }
    }
    case 'decimal':
      return numeric(cell, text)
    case 'basisPoints': {
      const share = numeric(cell, text)
      return 'value' in share ? { value: Math.round((share.value as number) * 100) } : share
    }
    case 'moneyList': {
      const value = typedNumber(cell)
      if (value !== undefined) return { value: [value] }
      return readList(partsOf(text, /,\s+/), wholeNumber, () => ({ key: 'not_money' }))
    }
    case 'date': {
      // A spreadsheet may show only the day of a cell that also has a time.
      const day = readDay(text.replace(/^(\d{4}-\d\d-\d\d) \d\d:\d\d:\d\d$/, '$1'))
      return day ? { value: day } : fault('not_date')
    }
    case 'dateTime':
      return dateTimeOf(text, timeZone)
    case 'time': {
      const time = timeOf(text)
      return time ? { value: time } : fault('not_time')
    }
    case 'boolean': {
      const word = text.toLowerCase()
      return yesWords.has(word) ? { value: true } : noWords.has(word) ? { value: false } : fault('not_boolean')
    }
    case 'choice': {
      const key = choiceOf(field, text)
      return key ? { value: key } : fault('not_choice', { choices: Object.values(field.choices) })
    }
    case 'multiChoice':
      return readList(
        partsOf(text, /,/),
        (part) => choiceOf(field, part),
        () => ({ key: 'not_choice', params: { choices: Object.values(field.choices) } }),
      )
    case 'multiReference':
      return { value: partsOf(text, /,/) }
    default:
      return { value: text }
  }
}
