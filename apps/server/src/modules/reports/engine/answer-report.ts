import { theOnly } from '#domain/must.ts'
import type { ReportLine, ReportQuestion } from '#domain/reports/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { monthsFor, shortDate } from '#locales/format.ts'
import { resources } from '#locales/index.ts'
import type { GroupName, Report, TimeUnit } from '#server/modules/reports/report.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { type ReportWords, wordsOf, wordsOfGroup } from './describe-report.ts'
import { readQuestion } from './read-question.ts'
import { figuresOf, fillShares, type Question, rowsBehind, runReport } from './run-report.ts'

/** Answers a report for a reader: labelled lines in display order, and the total. */
export async function answerReport(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  report: Report,
  request: ReportQuestion,
  language: Language,
) {
  const question = await readQuestion(db, report, request, clock.now())
  const found = await runReport(db, report, actor, question)
  const words = wordsOf(report, language)
  const labelled = found.map((line) => ({ ...line, labels: labelsOf(report, line, words, language) }))
  const total = labelled.find(({ keys }) => Object.keys(keys).length === 0) ?? emptyTotal(report, question)
  const lines = putSmallTogether(
    report,
    labelled.filter((line) => line !== total),
    words,
  ).sort(compareLines(report, question, language))
  addRunning(report, question, lines, total)
  return { question, words, lines, total, target: await readTarget(db, actor, report, question) }
}

/** The target of a chart over time, independent of its periods; null if a filter does not apply to it. */
async function readTarget(db: Db, actor: Actor, report: Report, question: Question): Promise<number | null> {
  const figure = report.chart?.target
  const measure = figure && report.measures[figure]
  if (!measure || !Object.keys(question.filters).every((name) => name in measure.facts.filters)) return null
  const { count } = rowsBehind(report, actor, question, { figure, keys: {} })
  const { total, sum } = theOnly((await count.execute(db)).rows)
  return sum ?? total
}

/** Labels of a line's groups in the reader's language. */
const labelsOf = (report: Report, { keys, labels }: ReportLine, words: ReportWords, language: Language) =>
  Object.fromEntries(
    Object.entries(keys).map(([name, key]) => {
      const list = wordsOfGroup(report, name as GroupName)
      const unit = unitOf(report, name as GroupName)
      if (unit && key) return [name, periodName(unit, key, language)]
      return [
        name,
        key === null
          ? words.t('none')
          : list
            ? words.word(list, labels[name] ?? key)
            : timeInWords(labels[name] ?? key, language),
      ]
    }),
  )

/** `Sesi 2 · 2026-11-23T08:00` → `Sesi 2 · 23 Nov 2026, 08.00`. */
const timeInWords = (label: string, language: Language) =>
  label.replace(
    / · (\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})$/,
    (_, day: string, hour: string, minute: string) => ` · ${shortDate(day, language)}, ${hour}.${minute}`,
  )

/** Time unit of a group; undefined for other groups. */
const unitOf = (report: Report, name: GroupName) =>
  figuresOf(report).flatMap(([, { facts }]) => {
    const group = facts.groups[name]
    return group && 'time' in group ? [group.time] : []
  })[0]

/** `23 Nov 2026`, `23 Nov – 29 Nov 2026` or `November 2026`, from a period's first day. */
function periodName(unit: TimeUnit, firstDay: string, language: Language) {
  if (unit === 'day') return shortDate(firstDay, language)
  if (unit === 'month')
    return `${monthsFor(language, 'long')[Number(firstDay.slice(5, 7)) - 1]} ${firstDay.slice(0, 4)}`
  const lastDay = new Date(Date.parse(`${firstDay}T00:00:00Z`) + 6 * 86_400_000).toISOString().slice(0, 10)
  return `${shortDate(firstDay, language).replace(/ \d{4}$/, '')} – ${shortDate(lastDay, language)}`
}

/** Key of the line that sums all small lines. */
export const smallLines = 'small'

/** Whether a line counts fewer than `smallestLine` people but at least one: its rows would identify single people. */
export function isSmall(report: Report, { keys, values, before }: ReportLine) {
  const [[first]] = figuresOf(report)
  const least = report.smallestLine ?? 0
  const numbers = [values[first] ?? 0, before?.[first] ?? 0]
  return !Object.values(keys).includes(null) && numbers.some((number) => number > 0 && number < least)
}

function putSmallTogether(report: Report, lines: ReportLine[], words: ReportWords) {
  const small = lines.filter((line) => isSmall(report, line))
  const [first] = small
  if (!first) return lines
  const sum = (parts: readonly ReportLine['values'][]) =>
    Object.fromEntries(
      Object.keys(first.values).map((name) => [name, parts.reduce((all, part) => all + (part[name] ?? 0), 0)]),
    )
  const [group] = Object.keys(first.keys) as [string]
  const together: ReportLine = {
    keys: { [group]: smallLines },
    labels: { [group]: words.t('smallLines', { least: report.smallestLine }) },
    values: sum(small.map(({ values }) => values)),
    before: first.before && sum(small.map(({ before }) => before ?? {})),
  }
  fillShares(report, together)
  return [...lines.filter((line) => !small.includes(line)), together]
}

/** Adds running totals to the lines if they are grouped by one time unit, and the period's sums to the total. */
function addRunning(report: Report, { by }: Question, lines: ReportLine[], total: ReportLine) {
  for (const [name, base] of Object.entries(report.running ?? {})) {
    const isOverTime = by.length === 1 && unitOf(report, by[0]!) !== undefined
    const sums = { values: 0, before: 0 }
    for (const line of [...lines, total])
      for (const part of ['values', 'before'] as const) {
        const figures = line[part]
        if (!figures) continue
        if (line !== total) sums[part] += figures[base] ?? 0
        figures[name] = !isOverTime ? null : line === total ? figures[base]! : sums[part]
      }
  }
}

const emptyTotal = (report: Report, { before }: Question): ReportLine => {
  const noValues = Object.fromEntries(
    Object.keys({ ...report.measures, ...report.running, ...report.shares }).map((name) => [name, null]),
  )
  return { keys: {}, labels: {}, values: noValues, before: before && noValues }
}

/** Compares lines by label, group after group. Keys with a word list keep its order; null comes last. */
function compareLines(report: Report, { by }: Question, language: Language) {
  const collator = new Intl.Collator(language)
  const rankOf = (name: GroupName, key: string | null | undefined) => {
    const list = wordsOfGroup(report, name)
    if (key === null || key === undefined) return 1_000
    if (report.smallestLine && key === smallLines) return 999
    return list ? Object.keys(resources.en.reports.words[list]).indexOf(key) : 0
  }
  return (a: ReportLine, b: ReportLine) => {
    for (const name of by) {
      const difference = rankOf(name, a.keys[name]) - rankOf(name, b.keys[name])
      const order =
        difference ||
        (unitOf(report, name)
          ? collator.compare(a.keys[name] ?? '', b.keys[name] ?? '')
          : collator.compare(a.labels[name] ?? '', b.labels[name] ?? ''))
      if (order !== 0) return order
    }
    return 0
  }
}
