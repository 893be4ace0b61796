import type { ReportDescription } from '#domain/reports/endpoints.ts'
import { everyYear, type FilterName } from '#domain/reports/report.ts'
import { reportTitle } from '#domain/reports/report-names.ts'
import type { Language } from '#entities/define/language.ts'
import { resources } from '#locales/index.ts'
import type { FigureName, GroupName, Report, Share, WordList } from '#server/modules/reports/report.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesUnpublished } from '#server/platform/access/decision-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'
import { filterChoices } from './read-question.ts'
import { figuresOf, isTimeGroup } from './run-report.ts'

/** Words of a report in one language, for the page and for exports. */
export function wordsOf(report: Report, language: Language) {
  const t = sentences(language)
  /** Cache by list and key: a long export needs the same dozen words a million times. */
  const lists = new Map<WordList, Map<string, string>>()
  const read = (list: WordList, key: string) => {
    if (list === 'answer') return t(`applicants:questionnaire.${key.replace('/', '.')}`)
    return key in resources.en.reports.words[list] ? t(`reports:words.${list}.${key}`) : key
  }
  return {
    t: (key: string, params?: Record<string, unknown>) => t(`reports:${key}`, params),
    title: reportTitle(report.slug)[language],
    figure: (name: FigureName) => t(`reports:figures.${name}`),
    group: (name: GroupName) => t(`reports:groups.${name}`),
    word(list: WordList, key: string) {
      const words = lists.get(list) ?? new Map<string, string>()
      lists.set(list, words)
      const word = words.get(key) ?? read(list, key)
      words.set(key, word)
      return word
    },
  }
}
export type ReportWords = ReturnType<typeof wordsOf>

/** Word list of a group's labels or keys, if its facts name one. */
export const wordsOfGroup = (report: Report, name: GroupName): WordList | undefined =>
  figuresOf(report).flatMap(([, { facts }]) => {
    const group = facts.groups[name]
    return group && 'words' in group && group.words ? [group.words] : []
  })[0]

/** Whether a group's labels have an order that charts keep. */
const isOrdered = (report: Report, name: GroupName) =>
  figuresOf(report).some(([, { facts }]) => {
    const group = facts.groups[name]
    return group !== undefined && ('time' in group || group.isOrdered === true)
  })

/** Shares of a line: its share of the total, and those the report defines. */
export const sharesOf = (report: Report) =>
  report.shape === 'pivot'
    ? []
    : [
        { name: 'ofTotal' as FigureName, kind: 'share' as const },
        ...(Object.entries(report.shares ?? {}) as [FigureName, Share][]).map(
          ([name, { kind = 'share' as const }]) => ({
            name,
            kind,
          }),
        ),
      ]

/** Figures with rows behind them in column order, each followed by its running totals. */
export const listedFigures = (report: Report) => {
  const running = Object.entries(report.running ?? {}) as [FigureName, FigureName][]
  return figuresOf(report).flatMap(([name, { kind = 'count' }]) => [
    { name, kind },
    ...running.filter(([, base]) => base === name).map(([sum]) => ({ name: sum, kind })),
  ])
}

/** Whether the report shows decisions, as a figure or as a stage. */
const tellsDecisions = ({ measures, groups, columns }: Report) =>
  'accepted' in measures || 'notAccepted' in measures || groups.includes('stage') || columns.includes('stage')

/** Describes a report for its page, in the reader's language. */
export async function describeReport(
  db: Db,
  actor: Actor,
  report: Report,
  language: Language,
): Promise<ReportDescription> {
  const words = wordsOf(report, language)
  const choices = await filterChoices(db, actor, report.filters)
  return {
    slug: report.slug,
    question: words.t(`reports.${report.slug}.question`),
    counting: [
      words.t(`reports.${report.slug}.counting`),
      ...(tellsDecisions(report) && !seesUnpublished(actor) ? [words.t('publishedOnly')] : []),
    ].join(' '),
    shape: report.shape,
    groups: report.groups.map((key) => ({
      key,
      label: words.group(key),
      isOrdered: isOrdered(report, key),
      isTime: isTimeGroup(report, key),
    })),
    by: [...report.by],
    figures: listedFigures(report).map(({ name, kind }) => ({ key: name, label: words.figure(name), kind })),
    shares: sharesOf(report).map(({ name, kind }) => ({ key: name, label: words.figure(name), kind })),
    steps: (Object.entries(report.steps ?? {}) as [string, { filter: FilterName; by: readonly GroupName[] }][]).map(
      ([group, { filter, by }]) => ({ group, filter, by: [...by] }),
    ),
    compares: report.compares ?? true,
    filters: choices.map(({ key, choices: found }) => ({
      key,
      label: words.t(`filters.${key}`),
      choices: key === 'year' && found ? [...found, { value: everyYear, label: words.t('everyYear') }] : found,
    })),
    chart: report.chart
      ? {
          kind: report.chart.kind,
          of: [...report.chart.of],
          base: report.chart.of.map((name) => report.running?.[name] ?? name),
          per: report.shareWithin ?? null,
          target: report.chart.target ?? null,
        }
      : null,
    rowsOf: [...(report.rowsOf ?? [])],
  }
}
