import { type Calendar, calendarOf } from '#domain/calendar.ts'
import { shiftDay } from '#domain/days.ts'
import { type ReportQuestion, reportCalls } from '#domain/reports/endpoints.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import { readQuestion } from '#server/modules/reports/engine/read-question.ts'
import { reports } from '#server/modules/reports/index.ts'
import type { Report } from '#server/modules/reports/report.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { AppError, forbidden, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'

export type MailQuestion = { report: string; question: string; lastDays: number | null }

/** The report of a slug; 404 if the server does not answer it. */
export function getReport(slug: string): Report {
  const report = reports.find((known) => known.slug === slug)
  if (!report) throw notFound('report')
  return report
}

/**
 * The question of a mail at the moment of sending, with the whole days before that day in the place of `from` and `to`.
 * Throws if the report cannot read it (any more).
 */
export function questionAt(
  { report, question, lastDays }: MailQuestion,
  now: Date,
  calendar: Calendar,
): ReportQuestion {
  const today = calendar.dayOf(now)
  const days = lastDays === null ? {} : { from: shiftDay(today, -lastDays), to: shiftDay(today, -1) }
  return reportCalls(report).read.query.parse({ ...Object.fromEntries(new URLSearchParams(question)), ...days })
}

/** The address of the report with the question. */
export const addressOfQuestion = ({ report }: MailQuestion, query: ReportQuestion) =>
  `/laporan/${report}?${new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))}`

/** 403 for who may not open the report, 404 for a report that is not built, 422 for a question it cannot answer. */
export async function checkQuestion(
  { db, clock }: Services,
  actor: Actor,
  mail: MailQuestion & { report: ReportSlug },
) {
  requirePermission(actor, `laporan-${mail.report}`)
  if (isApplicant(actor)) throw forbidden(`laporan-${mail.report}`)
  const report = getReport(mail.report)
  if (mail.lastDays !== null && !['from', 'to'].every((name) => report.filters.includes(name as never)))
    throw invalid({ lastDays: 'invalid_input' })
  const calendar = calendarOf((await getSettings(db)).timeZone)
  try {
    await readQuestion(db, report, questionAt(mail, clock.now(), calendar), clock.now())
  } catch (error) {
    if (error instanceof AppError || (error as Error).name === 'ZodError') throw invalid({ question: 'invalid_input' })
    throw error
  }
}
