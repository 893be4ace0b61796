import type { TFunction } from 'i18next'
import type { ReportColumn, ReportDescription, ReportLine } from '#domain/reports/endpoints.ts'
import type { FigureKind } from '#domain/reports/report.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate, percent, rupiah, shortDate, timeOfDay, twoDecimals, wholeNumber } from '#locales/format.ts'

/** Formats a figure; a dash if it is unknown. */
export function figureText(value: number | null | undefined, kind: FigureKind, t: TFunction<'reports'>): string {
  if (value === null || value === undefined) return '–'
  if (kind === 'money') return rupiah(value)
  if (kind === 'share') return percent(value)
  if (kind === 'decimal') return twoDecimals(value)
  return kind === 'days' ? t('days', { value: twoDecimals(value) }) : wholeNumber(value)
}

/** `+12,50%` compared with a year earlier; undefined if there is no earlier value. */
export function changeText(
  value: number | null | undefined,
  valueBefore: number | null | undefined,
): string | undefined {
  if (!valueBefore || value === null || value === undefined) return undefined
  const change = value / valueBefore - 1
  return `${change > 0 ? '+' : ''}${percent(change)}`
}

type Cell = string | number | boolean | null | undefined

/** Formats a cell of a row behind a figure. */
export function cellText(value: Cell, kind: ReportColumn['kind'], language: Language): string {
  if (value === null || value === undefined || value === '') return '–'
  if (kind === 'money') return rupiah(Number(value))
  if (kind === 'number') return wholeNumber(Number(value))
  if (kind === 'decimal') return twoDecimals(Number(value))
  if (kind === 'date') return longDate(String(value), language)
  if (kind === 'dateTime') return `${shortDate(String(value), language)}, ${timeOfDay(String(value), language)}`
  return String(value)
}

/** Name of a line: its groups, or the word for the total. */
export const lineName = ({ labels }: ReportLine, t: TFunction<'reports'>) =>
  Object.values(labels).join(' · ') || t('total')

/** All figures and shares of a line with their kinds, in column order. */
export const figuresOf = ({ figures, shares }: ReportDescription) => [
  ...figures.map((figure) => ({ ...figure, opens: true })),
  ...shares.map((share) => ({ ...share, opens: false })),
]

/** Lines grouped by exactly these groups. */
export const linesOf = (lines: readonly ReportLine[], groups: readonly string[]) =>
  lines.filter(({ keys }) => Object.keys(keys).length === groups.length && groups.every((name) => name in keys))
