import { sql } from 'kysely'
import type { CardFigure } from '#domain/dashboards/endpoints.ts'
import {
  type CardQuestion,
  type CardReading,
  figureOf,
  firstLines,
  lineOf,
  reportAddress,
} from '#server/modules/dashboards/card.ts'
import { readReport } from '#server/modules/dashboards/readings/read-report.ts'
import { seasonCurve } from '#server/modules/dashboards/readings/season-curve.ts'
import {
  readSeasons,
  type SeasonLine,
  type SeasonStep,
  seasonSteps,
} from '#server/modules/dashboards/readings/season-figures.ts'
import { prospectiveStudents } from '#server/modules/reports/camaba.report.ts'
import { capacity } from '#server/modules/reports/facts/place-facts.ts'
import { decidedAt, reached, registrationFacts } from '#server/modules/reports/facts/registration-facts.ts'
import { readForecast } from '#server/modules/reports/forecast/read-forecast.ts'
import { registrationsByProgramme } from '#server/modules/reports/pendaftaran-prodi.report.ts'
import { receivables as receivablesReport } from '#server/modules/reports/piutang-va.report.ts'
import { defineReport, type FigureName, type Measure } from '#server/modules/reports/report.ts'

const placesReport = defineReport({ ...registrationsByProgramme, measures: { capacity }, shares: {} })

/** Figures of the season so far; each opens the rows behind it. */
const totals = (
  { actor }: CardQuestion,
  { season, before }: Awaited<ReturnType<typeof readSeasons>>,
  names: readonly SeasonStep[],
): CardFigure[] =>
  names.map((name) =>
    figureOf(name, season.totals[name], {
      // Without an earlier season, "none last year" would look like a fact.
      before: before && name in before.totals ? before.totals[name as keyof typeof before.totals] : null,
      against: before ? 'season' : null,
      to: reportAddress(actor, 'pendaftaran-prodi', { figure: name }),
    }),
  )

export const season: CardReading = async (question) => {
  const seasons = await readSeasons(question)
  return {
    figures: totals(question, seasons, ['submitted', 'paid', 'enrolled']),
    ...seasonCurve(question.at, seasons.season, seasons.before),
    to: reportAddress(question.actor, 'total-pendaftaran') ?? reportAddress(question.actor, 'pendaftaran-prodi'),
  }
}

export const funnel: CardReading = async (question) => ({
  columns: [{ key: 'people', kind: 'count' }],
  lines: totals(question, await readSeasons(question), seasonSteps).map(({ key, value, to }) =>
    lineOf([value], { word: key, to }),
  ),
  to: reportAddress(question.actor, 'pendaftaran-prodi'),
})

/** Sums the season's lines by study programme or wave. */
function sumBy(lines: readonly SeasonLine[], group: 'programmeId' | 'waveId') {
  const groups = new Map<string, SeasonLine['counts']>()
  for (const line of lines) {
    const key = line[group]
    if (key === null) continue
    const sums = groups.get(key)
    groups.set(
      key,
      Object.fromEntries(
        seasonSteps.map((step) => [step, (sums?.[step] ?? 0) + line.counts[step]]),
      ) as SeasonLine['counts'],
    )
  }
  return groups
}

/** Programmes with places, emptiest first. */
export const fill: CardReading = async (question) => {
  const [{ season: found }, { lines }] = await Promise.all([
    readSeasons(question),
    readReport(question, placesReport, 'programme', false),
  ])
  const counts = sumBy(found.lines, 'programmeId')
  const programmes = lines
    .flatMap(({ keys, labels, values }) => {
      const [key, capacityOfLine] = [keys.programme, values.capacity ?? 0]
      if (!key || capacityOfLine <= 0) return []
      const enrolled = counts.get(key)?.enrolled ?? 0
      const label = labels.programme ?? key
      return [{ key, label, enrolled, capacity: capacityOfLine, filled: enrolled / capacityOfLine }]
    })
    .sort((a, b) => a.filled - b.filled || b.capacity - a.capacity || a.label.localeCompare(b.label))
  return {
    columns: [
      { key: 'enrolled', kind: 'count' },
      { key: 'capacity', kind: 'count' },
      { key: 'filled', kind: 'share' },
    ],
    ...firstLines(
      programmes.map(({ key, label, enrolled, capacity: placesOfLine, filled }) =>
        lineOf([enrolled, placesOfLine, filled], {
          label,
          to: reportAddress(question.actor, 'pendaftaran-prodi', { figure: 'enrolled', keys: { programme: key } }),
        }),
      ),
      6,
    ),
    to: reportAddress(question.actor, 'pendaftaran-prodi'),
  }
}

/** Conversion of each wave's registrations, from submitted to enrolled. */
export const conversion: CardReading = async (question) => {
  const { db } = question.services
  const { season: found } = await readSeasons(question)
  const names = new Map(
    (await db.selectFrom('waves').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
  )
  const waves = [...sumBy(found.lines, 'waveId')]
    .map(([key, sums]) => ({ key, label: names.get(key) ?? key, sums }))
    .filter(({ sums }) => sums.submitted > 0)
    .sort((a, b) => b.sums.submitted - a.sums.submitted || a.label.localeCompare(b.label))
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

/** Expected enrolments, programmes with most open places first. */
export const forecast: CardReading = async (question) => {
  const { services, actor, at } = question
  const { data } = await readForecast({ db: services.db, clock: { now: () => at } }, actor, {})
  const to = reportAddress(actor, 'pendaftaran-prodi')
  if (!data.total) return { notes: ['noForecast'], to }
  const openPlaces = ({ places, expected }: { places: number | null; expected: number }) => (places ?? 0) - expected
  return {
    figures: [figureOf('expected', data.total.expected)],
    columns: [
      { key: 'enrolled', kind: 'count' },
      { key: 'low', kind: 'count' },
      { key: 'expected', kind: 'count' },
      { key: 'high', kind: 'count' },
    ],
    ...firstLines(
      [
        lineOf([data.total.enrolled, data.total.low, data.total.expected, data.total.high], {
          word: 'allProgrammes',
          to: reportAddress(actor, 'pendaftaran-prodi', { figure: 'enrolled' }),
        }),
        ...[...data.lines]
          .sort((a, b) => openPlaces(b) - openPlaces(a) || a.label.localeCompare(b.label))
          .map(({ programmeId, label, enrolled, low, expected, high }) =>
            lineOf([enrolled, low, expected, high], {
              label,
              to: reportAddress(actor, 'pendaftaran-prodi', { figure: 'enrolled', keys: { programme: programmeId } }),
            }),
          ),
      ],
      7,
    ),
    notes: ['range'],
    to,
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

/** Time of a registration's last step that the reader may see. */
const lastStepAt = sql`greatest(r.submitted_at, r.paid_at, r.verified_at, r.confirmed_at, ${decidedAt})`
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

/** Stages that wait for an action, in process order. */
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
