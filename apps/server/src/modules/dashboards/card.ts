import type { CardContent, CardFigure, CardLine } from '#domain/dashboards/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'

/** Input of a card; `at` is the time of its figures. */
export type CardQuestion = { services: Pick<Services, 'db' | 'clock'>; actor: Actor; at: Date }

/** Computes a card within the reader's scope. Missing parts are empty. */
export type CardReading = (question: CardQuestion) => Promise<Partial<CardContent>>

type ReportCell = { by?: string; figure?: string; keys?: Record<string, string | null>; [filter: string]: unknown }

/** Address of a report, opened at the rows behind a figure; null if the reader may not open the report. */
export function reportAddress(
  actor: Actor,
  slug: ReportSlug,
  { figure, keys, ...rest }: ReportCell = {},
): string | null {
  if (!actor.permissions.has(`laporan-${slug}`)) return null
  const query = new URLSearchParams({
    ...(rest as Record<string, string>),
    ...(figure !== undefined && { rows: figure, cell: writeCell(keys ?? {}) }),
  })
  return query.size > 0 ? `/laporan/${slug}?${query}` : `/laporan/${slug}`
}

/** Address of a list with filters; null for readers without its permission. */
export function listAddress(actor: Actor, permission: string, path: string, filters: Record<string, string> = {}) {
  if (!actor.permissions.has(permission)) return null
  const query = new URLSearchParams(filters)
  return query.size > 0 ? `${path}?${query}` : path
}

export const figureOf = (
  key: string,
  value: number | null,
  rest: Partial<Omit<CardFigure, 'key' | 'value'>> = {},
): CardFigure => ({ key, kind: 'count', value, before: null, against: null, to: null, ...rest })

export const lineOf = (values: (number | null)[], rest: Partial<Omit<CardLine, 'values'>>): CardLine => ({
  label: null,
  word: null,
  at: null,
  to: null,
  values,
  ...rest,
})

/** The first lines, and the number of further ones. */
export const firstLines = (lines: readonly CardLine[], most: number) => ({
  lines: lines.slice(0, most),
  more: Math.max(0, lines.length - most),
})
