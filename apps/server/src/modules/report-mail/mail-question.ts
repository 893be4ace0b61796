import { type Calendar, calendarOf, shiftDay } from '#domain/calendar.ts'
import type { MailWords } from '#domain/report-mail/endpoints.ts'
import { type ReportQuestion, reportCalls } from '#domain/reports/endpoints.ts'
import { everyYear } from '#domain/reports/report.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { listedFigures, sharesOf, wordsOf } from '#server/modules/reports/engine/describe-report.ts'
import { filterChoices, readQuestion } from '#server/modules/reports/engine/read-question.ts'
import { reports } from '#server/modules/reports/index.ts'
import type { FigureName, GroupName, Report } from '#server/modules/reports/report.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError, forbidden, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'

export type MailQuestion = { report: string; question: string; lastDays: number | null }

/** The report of a slug; 404 if it is unknown. */
export function getReport(slug: string): Report {
  const report = reports.find((known) => known.slug === slug)
  if (!report) throw notFound('report')
  return report
}

/**
 * The question of a mail at sending time. With `lastDays`, `from` and `to` cover that many whole days before today.
 * Throws if the report no longer accepts the question.
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

const takesPeriod = ({ filters }: Report) => filters.includes('from') && filters.includes('to')

/** Address of the report with the question. */
export const addressOfQuestion = ({ report }: MailQuestion, query: ReportQuestion) =>
  `/laporan/${report}?${new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))}`

/**
 * Throws 403 if the actor may not open the report, 404 for an unknown report, 422 for a question it does not accept.
 */
export async function checkQuestion(
  { db, clock }: Services,
  actor: Actor,
  mail: MailQuestion & { report: ReportSlug },
) {
  requirePermission(actor, `laporan-${mail.report}`)
  if (isApplicant(actor)) throw forbidden(`laporan-${mail.report}`)
  const report = getReport(mail.report)
  if (mail.lastDays !== null && !takesPeriod(report)) throw invalid({ lastDays: 'invalid_input' })
  const calendar = calendarOf((await getSettings(db)).timeZone)
  try {
    await readQuestion(db, report, questionAt(mail, clock.now(), calendar), clock.now())
  } catch (error) {
    if (error instanceof AppError || (error as Error).name === 'ZodError') throw invalid({ question: 'invalid_input' })
    throw error
  }
}

type AskedWords = MailQuestion & { columns: readonly string[] }

/** Describes what a mail shows, in a language; `shows` is empty if the report no longer accepts the question. */
export async function wordsOfMail(db: Db, actor: Actor, mail: AskedWords, language: Language): Promise<MailWords> {
  const report = getReport(mail.report)
  const parsed = reportCalls(mail.report).read.query.safeParse(Object.fromEntries(new URLSearchParams(mail.question)))
  if (!parsed.success) return { shows: [], takesPeriod: takesPeriod(report) }
  const query = parsed.data
  const words = wordsOf(report, language)
  const isReplaced = (name: string) => mail.lastDays !== null && (name === 'from' || name === 'to')
  const chosen = report.filters.filter((name) => query[name] !== undefined && name !== 'year' && !isReplaced(name))
  const choices = await filterChoices(db, actor, chosen)
  const year = query.year ?? (report.year === 'all' ? everyYear : null)
  const figures = [...listedFigures(report), ...sharesOf(report)].map(({ name }) => name)
  const columns = figures.filter((name) => mail.columns.includes(name))
  const isNarrowed = report.shape === 'lines' && columns.length > 0 && columns.length < figures.length
  const groups = (query.by?.split(',') ?? report.by) as GroupName[]
  const figure = (query.figure ?? figures[0]) as FigureName
  return {
    shows: [
      {
        label: words.t('filters.year'),
        value: year === null ? words.t('currentYear') : year === everyYear ? words.t('everyYear') : year,
      },
      ...choices.map(({ key, choices: values }) => ({
        label: words.t(`filters.${key}`),
        value: values
          ? (values.find(({ value }) => value === query[key])?.label ?? words.t('filters.outOfScope'))
          : longDate(query[key]!, language),
      })),
      ...(report.shape === 'rows' ? [] : [{ label: words.t('filters.by'), value: groups.map(words.group).join(', ') }]),
      ...(report.shape === 'pivot' ? [{ label: words.t('filters.figure'), value: words.figure(figure) }] : []),
      ...(report.shape === 'lines' && report.compares !== false
        ? [
            {
              label: words.t('compare'),
              value: words.t(`compareWith.${query.compare === 'yes' ? 'season' : query.compare}`),
            },
          ]
        : []),
      ...(isNarrowed ? [{ label: words.t('chosenFigures'), value: columns.map(words.figure).join(', ') }] : []),
    ],
    takesPeriod: takesPeriod(report),
  }
}
