import { sql } from 'kysely'
import type { CardFigure } from '#domain/dashboards/endpoints.ts'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import {
  type CardQuestion,
  type CardReading,
  figureOf,
  firstLines,
  lineOf,
  reportAddress,
} from '#server/modules/dashboards/card.ts'
import { type Answered, readReport } from '#server/modules/dashboards/readings/read-report.ts'
import { seasonCurve } from '#server/modules/dashboards/readings/season-curve.ts'
import { prospectiveStudents } from '#server/modules/reports/camaba.report.ts'
import { reached, registrationFacts } from '#server/modules/reports/facts/registration-facts.ts'
import { registrationsByProgramme } from '#server/modules/reports/pendaftaran-prodi.report.ts'
import { receivables as receivablesReport } from '#server/modules/reports/piutang-va.report.ts'
import { defineReport, type FigureName, type Measure } from '#server/modules/reports/report.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'

const steps = ['started', 'submitted', 'paid', 'verified', 'accepted', 'confirmed', 'enrolled'] as const
const { measures } = registrationsByProgramme

/** The report per study programme with the figures of the cards alone. */
const stepsByProgramme = defineReport({
  ...registrationsByProgramme,
  measures: {
    ...(Object.fromEntries(steps.map((step) => [step, measures[step]])) as Record<(typeof steps)[number], Measure>),
    capacity: measures.capacity,
  },
})
const readSteps = (question: CardQuestion) => readReport(question, stepsByProgramme, 'programme,wave', true)

type Sums = Record<(typeof steps)[number] | 'capacity', number>
type Group = { key: string; label: string; sums: Sums }

/** Sums of lines by one of their groups. */
function sumBy(lines: readonly ReportLine[], group: 'programme' | 'wave'): Group[] {
  const groups = new Map<string, Group>()
  for (const { keys, labels, values } of lines) {
    const key = keys[group]
    if (key === null || key === undefined) continue
    const sums = Object.fromEntries(
      [...steps, 'capacity' as const].map((name) => [name, (groups.get(key)?.sums[name] ?? 0) + (values[name] ?? 0)]),
    ) as Sums
    groups.set(key, { key, label: labels[group] ?? key, sums })
  }
  return [...groups.values()]
}

/** Figures of the season so far, each opening the rows behind it. */
const totals = ({ actor }: CardQuestion, { total }: Answered, names: readonly (typeof steps)[number][]): CardFigure[] =>
  names.map((name) =>
    figureOf(name, total?.values[name] ?? 0, {
      before: total?.before?.[name] ?? null,
      against: total?.before ? 'season' : null,
      to: reportAddress(actor, 'pendaftaran-prodi', { figure: name }),
    }),
  )

export const season: CardReading = async (question) => {
  const [answered, curve] = await Promise.all([readSteps(question), seasonCurve(question)])
  return {
    // Without an earlier season "none last year" would sound like a fact.
    figures: totals(question, answered, ['submitted', 'paid', 'enrolled']).map((figure) =>
      curve.notes?.includes('noHistory') ? { ...figure, before: null, against: null } : figure,
    ),
    ...curve,
    to: reportAddress(question.actor, 'total-pendaftaran') ?? reportAddress(question.actor, 'pendaftaran-prodi'),
  }
}

export const funnel: CardReading = async (question) => ({
  columns: [{ key: 'people', kind: 'count' }],
  lines: totals(question, await readSteps(question), steps).map(({ key, value, to }) =>
    lineOf([value], { word: key, to }),
  ),
  to: reportAddress(question.actor, 'pendaftaran-prodi'),
})

/** Programmes with places, the emptiest first. */
export const fill: CardReading = async (question) => {
  const programmes = sumBy((await readSteps(question)).lines, 'programme')
    .filter(({ sums }) => sums.capacity > 0)
    .map(({ sums, ...group }) => ({ ...group, ...sums, filled: sums.enrolled / sums.capacity }))
    .sort((a, b) => a.filled - b.filled || b.capacity - a.capacity || a.label.localeCompare(b.label))
  return {
    columns: [
      { key: 'enrolled', kind: 'count' },
      { key: 'capacity', kind: 'count' },
      { key: 'filled', kind: 'share' },
    ],
    ...firstLines(
      programmes.map(({ key, label, enrolled, capacity, filled }) =>
        lineOf([enrolled, capacity, filled], {
          label,
          to: reportAddress(question.actor, 'pendaftaran-prodi', { figure: 'enrolled', keys: { programme: key } }),
        }),
      ),
      6,
    ),
    to: reportAddress(question.actor, 'pendaftaran-prodi'),
  }
}

/** How each wave's registrations went on. */
export const conversion: CardReading = async (question) => {
  const waves = sumBy((await readSteps(question)).lines, 'wave')
    .filter(({ sums }) => sums.submitted > 0)
    .sort((a, b) => b.sums.submitted - a.sums.submitted)
  return {
    columns: [
      { key: 'submitted', kind: 'count' },
      { key: 'paid', kind: 'count' },
      { key: 'enrolled', kind: 'count' },
      { key: 'conversion', kind: 'share' },
    ],
    ...firstLines(
      waves.map(({ key, label, sums: { submitted, paid, enrolled } }) =>
        lineOf([submitted, paid, enrolled, enrolled / submitted], {
          label,
          to: reportAddress(question.actor, 'pendaftaran-prodi', {
            by: 'wave',
            figure: 'submitted',
            keys: { wave: key },
          }),
        }),
      ),
      6,
    ),
    to: reportAddress(question.actor, 'pendaftaran-prodi', { by: 'wave' }),
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
  measures: { submitted: reached('submitted'), medianDays: daysSinceStep(0.5) },
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
