import { sql } from 'kysely'
import type { CardFigure } from '#domain/dashboards/endpoints.ts'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import type { FigureKind } from '#domain/reports/report.ts'
import { shareCount } from '#server/list/count-rows.ts'
import {
  type CardQuestion,
  type CardReading,
  figureOf,
  firstLines,
  lineOf,
  reportAddress,
} from '#server/modules/dashboards/card.ts'
import { prospectiveStudents } from '#server/modules/reports/camaba.report.ts'
import { readQuestion } from '#server/modules/reports/engine/read-question.ts'
import { runReport } from '#server/modules/reports/engine/run-report.ts'
import { reached, registrationFacts } from '#server/modules/reports/facts/registration-facts.ts'
import { registrationsByProgramme } from '#server/modules/reports/pendaftaran-prodi.report.ts'
import { receivables as receivablesReport } from '#server/modules/reports/piutang-va.report.ts'
import { defineReport, type FigureName, type Measure, type Report } from '#server/modules/reports/report.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'

type Answered = { lines: ReportLine[]; total: ReportLine | undefined }

/**
 * Lines and total of a report in the reader's scope, shared by cards that ask the same at the same time. A card counts
 * with the report it opens, so both agree.
 */
function readReport({ services, actor, at }: CardQuestion, report: Report, by: string, compare: boolean) {
  const { db } = services
  const key = ['report-card', report.slug, by, compare, actor.scope, [...actor.permissions].sort()]
  return shareCount<Answered>(
    db,
    JSON.stringify(key),
    async () => {
      const question = await readQuestion(db, report, { by, compare: compare ? 'yes' : 'no' } as never, at)
      const found = await runReport(db, report, actor, question)
      const isTotal = ({ keys }: ReportLine) => Object.keys(keys).length === 0
      return { lines: found.filter((line) => !isTotal(line)), total: found.find(isTotal) }
    },
    ({ total }) => Object.values(total?.values ?? {})[0] ?? 0,
  )
}

const kindOf = (report: Report, name: FigureName): FigureKind => report.measures[name]?.kind ?? 'count'

/** Figures of a report's total, each opening the rows behind it. */
function totals(
  { actor }: CardQuestion,
  report: Report,
  by: string,
  { total }: Answered,
  names: readonly FigureName[],
): CardFigure[] {
  return names.map((name) =>
    figureOf(name, total?.values[name] ?? null, {
      kind: kindOf(report, name),
      before: total?.before?.[name] ?? null,
      against: total?.before ? 'season' : null,
      to: reportAddress(actor, report.slug, { by, figure: name }),
    }),
  )
}

export const season: CardReading = async (question) => {
  const answered = await readReport(question, registrationsByProgramme, 'programme', true)
  return {
    figures: totals(question, registrationsByProgramme, 'programme', answered, ['submitted', 'paid', 'enrolled']),
    to: reportAddress(question.actor, 'total-pendaftaran') ?? reportAddress(question.actor, 'pendaftaran-prodi'),
  }
}

const funnelSteps = ['started', 'submitted', 'paid', 'verified', 'accepted', 'confirmed', 'enrolled'] as const

export const funnel: CardReading = async (question) => {
  const answered = await readReport(question, registrationsByProgramme, 'programme', true)
  const values = totals(question, registrationsByProgramme, 'programme', answered, funnelSteps)
  return {
    columns: [{ key: 'people', kind: 'count' }],
    lines: values.map(({ key, value, to }) => lineOf([value], { word: key, to })),
    to: reportAddress(question.actor, 'pendaftaran-prodi'),
  }
}

/** Programmes with places, the emptiest first. */
export const fill: CardReading = async (question) => {
  const { actor } = question
  const { lines } = await readReport(question, registrationsByProgramme, 'programme', true)
  const withPlaces = lines
    .filter(({ values }) => (values.capacity ?? 0) > 0)
    .sort(
      (a, b) => (a.values.filled ?? 0) - (b.values.filled ?? 0) || (b.values.capacity ?? 0) - (a.values.capacity ?? 0),
    )
    .map(({ keys, labels, values }) =>
      lineOf([values.enrolled ?? 0, values.capacity ?? 0, values.filled ?? 0], {
        label: labels.programme ?? null,
        to: reportAddress(actor, 'pendaftaran-prodi', { by: 'programme', figure: 'enrolled', keys }),
      }),
    )
  return {
    columns: [
      { key: 'enrolled', kind: 'count' },
      { key: 'capacity', kind: 'count' },
      { key: 'filled', kind: 'share' },
    ],
    ...firstLines(withPlaces, 6),
    to: reportAddress(actor, 'pendaftaran-prodi'),
  }
}

/** How each wave's registrations went on. */
export const conversion: CardReading = async (question) => {
  const { actor } = question
  const { lines } = await readReport(question, registrationsByProgramme, 'wave', false)
  const waves = lines
    .filter(({ values }) => (values.submitted ?? 0) > 0)
    .sort((a, b) => (b.values.submitted ?? 0) - (a.values.submitted ?? 0))
    .map(({ keys, labels, values: { submitted = 0, paid = 0, enrolled = 0 } }) =>
      lineOf([submitted, paid, enrolled, submitted ? (enrolled ?? 0) / submitted : null], {
        label: labels.wave ?? null,
        to: reportAddress(actor, 'pendaftaran-prodi', { by: 'wave', figure: 'submitted', keys }),
      }),
    )
  return {
    columns: [
      { key: 'submitted', kind: 'count' },
      { key: 'paid', kind: 'count' },
      { key: 'enrolled', kind: 'count' },
      { key: 'conversion', kind: 'share' },
    ],
    ...firstLines(waves, 6),
    to: reportAddress(actor, 'pendaftaran-prodi', { by: 'wave' }),
  }
}

export const receivables: CardReading = async (question) => {
  const { actor } = question
  const { total } = await readReport(question, receivablesReport, 'programme', false)
  const open = (figure: FigureName) => reportAddress(actor, 'piutang-va', { by: 'programme', figure })
  const ages = ['notDue', 'late30', 'late60', 'late90', 'lateLonger'] as const
  return {
    figures: [figureOf('owed', total?.values.owed ?? 0, { kind: 'money', to: open('owed') })],
    columns: [{ key: 'amount', kind: 'money' }],
    lines: ages.map((age) => lineOf([total?.values[age] ?? 0], { word: age, to: open(age) })),
    to: reportAddress(actor, 'piutang-va'),
  }
}

/** Last step of a registration as far as the reader sees it. */
const lastStepAt = sql`greatest(r.submitted_at, r.paid_at, r.verified_at, r.confirmed_at,
  CASE WHEN moment.sees_unpublished OR ${isPublished(sql<Date>`moment.at`)} THEN r.decided_at END)`
const daysSinceStep = (share: number): Measure => ({
  ...reached('submitted'),
  facts: registrationFacts,
  percentile: { of: sql`extract(epoch FROM moment.at - ${lastStepAt}) / 86400`, share },
  kind: 'days',
})

const waitingTimes = defineReport({
  ...prospectiveStudents,
  measures: { ...prospectiveStudents.measures, submitted: reached('submitted'), medianDays: daysSinceStep(0.5) },
})

/** Stages in which somebody has to act, in the order of the process. */
const stages = ['submitted', 'paid', 'verified', 'accepted', 'confirmed'] as const

export const stuck: CardReading = async (question) => {
  const { actor } = question
  const { lines } = await readReport(question, waitingTimes, 'stage', false)
  return {
    columns: [
      { key: 'people', kind: 'count' },
      { key: 'medianDays', kind: 'days' },
    ],
    lines: stages.map((stage) => {
      const values = lines.find(({ keys }) => keys.stage === stage)?.values
      return lineOf([values?.submitted ?? 0, values?.medianDays ?? null], {
        word: `stage.${stage}`,
        to: reportAddress(actor, 'camaba', { by: 'stage', figure: 'submitted', keys: { stage } }),
      })
    }),
    to: reportAddress(actor, 'status-pendaftaran') ?? reportAddress(actor, 'camaba'),
  }
}
