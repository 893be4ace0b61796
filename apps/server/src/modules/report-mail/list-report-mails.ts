import { sql } from 'kysely'
import { listReportMailRuns, listReportMails, type mailOutcomes, type runStates } from '#domain/report-mail/lists.ts'
import type { Language } from '#entities/define/language.ts'
import { serveList } from '#server/list/serve-list.ts'
import { contains } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import type { Rhythm } from './due-moments.ts'
import { getMail } from './report-mails.ts'

/** State of run `x`. Once handed over, its message `g` decides: failed, waiting or sent. */
const runState = sql<(typeof runStates)[number]>`CASE WHEN x.state <> 'handed' THEN x.state
  WHEN g.status = 'failed' THEN 'failed' WHEN g.status = 'queued' THEN 'waiting' ELSE 'sent' END`

const lastAt = sql<Date | null>`(SELECT max(z.due_at) FROM report_mail_runs z WHERE z.mail_id = m.id)`

/** The worst state among the latest runs: failed, refused, waiting, sent, empty. */
const outcome = sql<(typeof mailOutcomes)[number]>`coalesce((SELECT CASE
    WHEN bool_or(s.state = 'failed') THEN 'failed' WHEN bool_or(s.state = 'refused') THEN 'refused'
    WHEN bool_or(s.state = 'waiting') THEN 'waiting' WHEN bool_and(s.state = 'empty') THEN 'empty' ELSE 'sent' END
  FROM (SELECT ${runState} AS state FROM report_mail_runs x LEFT JOIN messages g ON g.id = x.message_id
    WHERE x.mail_id = m.id AND x.due_at = ${lastAt}) s HAVING count(*) > 0), 'none')`

/** `every Monday at 07.00`, in the reader's language. */
export function scheduleText({ rhythm, weekday, monthDay, hour }: Rhythm, language: Language) {
  const t = sentences(language)
  return t(`report-mail:schedule.${rhythm}`, {
    weekday: weekday === null ? '' : t(`report-mail:weekday.${weekday}`),
    day: monthDay,
    time: `${String(hour).padStart(2, '0')}.00`,
  })
}

type Problems = { report?: string | null; mail?: string | null }

/**
 * Why a mail was not sent, for its owner. The report's own error message appears only among the failed jobs, because it
 * tells the owner nothing.
 */
function whyNot(t: ReturnType<typeof sentences>, state: (typeof runStates)[number], { report, mail }: Problems) {
  if (state !== 'failed' && state !== 'waiting') return null
  if (report) return t(`report-mail:problem.report.${state}`)
  if (mail === 'interrupted') return t('report-mail:problem.interrupted')
  return mail ? t(`report-mail:problem.mail.${state}`, { problem: mail }) : null
}

export const serveReportMails = (app: App, services: Services) =>
  serveList(app, services, listReportMails, {
    from: () => services.db.selectFrom('reportMails as m'),
    scope:
      ({ actor }) =>
      (eb) =>
        eb('m.ownerId', '=', actor.accountId),
    filters: {
      outcome: (value) => sql<boolean>`${outcome} = ${value}`,
      state: (state) => (eb) => eb('m.active', '=', state === 'active'),
      report: 'm.report',
      q: (q) => contains('m.name', q),
    },
    columns: (rows) =>
      rows
        .select([
          'm.id',
          'm.name',
          'm.report',
          'm.format',
          'm.rhythm',
          'm.weekday',
          'm.monthDay',
          'm.hour',
          'm.version',
        ])
        .select(['m.active', sql<Date | null>`CASE WHEN m.active THEN m.next_due_at END`.as('nextDueAt')])
        .select([lastAt.as('lastAt'), outcome.as('outcome')])
        .select(
          sql<number>`(SELECT count(*)::int FROM report_mail_recipients y WHERE y.mail_id = m.id)`.as('recipients'),
        ),
    sorts: {
      name: { by: sql`lower(m.name)`, type: 'text' },
      report: { by: sql`m.report`, type: 'text' },
      nextDueAt: { by: sql`CASE WHEN m.active THEN m.next_due_at END`, type: 'timestamptz' },
      lastAt: { by: lastAt, type: 'timestamptz' },
    },
    id: sql`m.id`,
    toRows: (found, { language }) =>
      found.map(({ rhythm, weekday, monthDay, hour, active, ...row }) => ({
        ...row,
        schedule: scheduleText({ rhythm, weekday, monthDay, hour } as Rhythm, language),
        state: active ? ('active' as const) : ('paused' as const),
      })),
  })

export const serveReportMailRuns = (app: App, services: Services) =>
  serveList(app, services, listReportMailRuns, {
    from: () =>
      services.db
        .selectFrom('reportMailRuns as x')
        .innerJoin('accounts as a', 'a.id', 'x.accountId')
        .leftJoin('messages as g', 'g.id', 'x.messageId'),
    scope: async ({ actor, params }) => {
      const { id } = await getMail(services.db, actor, params.id)
      return (eb) => eb('x.mailId', '=', id)
    },
    filters: {
      state: (state) => sql<boolean>`${runState} = ${state}`,
      q: (q) => contains('a.name', q),
    },
    columns: (rows) =>
      rows
        .select(['x.id', 'x.dueAt', 'x.reason', 'x.rows', 'x.byHand', 'x.finishedAt', 'a.name as recipient'])
        .select(runState.as('state'))
        .select(['x.error', 'x.messageId', 'g.error as mailError']),
    sorts: {
      dueAt: { by: sql`x.due_at`, type: 'timestamptz' },
      recipient: { by: sql`a.name`, type: 'text' },
    },
    id: sql`x.id`,
    above: async ({ actor, params, language }) => ({
      label: sentences(language)('report-mail:column.name'),
      value: (await getMail(services.db, actor, params.id)).name,
    }),
    toRows: (found, { language }) => {
      const t = sentences(language)
      return found.map(({ error, messageId, mailError, reason, ...row }) => ({
        ...row,
        reason: reason
          ? t(`report-mail:reason.${reason}`)
          : whyNot(t, row.state, messageId === null ? { report: error } : { mail: mailError ?? error }),
      }))
    },
  })
