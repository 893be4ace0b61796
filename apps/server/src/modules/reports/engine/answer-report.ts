import type { ReportLine, ReportQuestion } from '#domain/reports/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { resources } from '#locales/index.ts'
import type { GroupName, Report } from '#server/modules/reports/report.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { type ReportWords, wordsOf, wordsOfGroup } from './describe-report.ts'
import { readQuestion } from './read-question.ts'
import { type Question, runReport } from './run-report.ts'

/** Answers a report for a reader: labelled lines in order, and the total. */
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
  const labelled = found.map((line) => ({ ...line, labels: labelsOf(report, line, words) }))
  const total = labelled.find(({ keys }) => Object.keys(keys).length === 0) ?? emptyTotal(report, question)
  const lines = labelled.filter((line) => line !== total).sort(compareLines(report, question, language))
  return { question, words, lines, total }
}

/** Labels of a line's groups, in the reader's language. */
const labelsOf = (report: Report, { keys, labels }: ReportLine, words: ReportWords) =>
  Object.fromEntries(
    Object.entries(keys).map(([name, key]) => {
      const list = wordsOfGroup(report, name as GroupName)
      return [name, key === null ? words.t('none') : list ? words.word(list, key) : (labels[name] ?? key)]
    }),
  )

const emptyTotal = (report: Report, { before }: Question): ReportLine => {
  const noValues = Object.fromEntries(Object.keys({ ...report.measures, ...report.shares }).map((name) => [name, null]))
  return { keys: {}, labels: {}, values: noValues, before: before && noValues }
}

/** Compares lines by label, group after group; keys of a word list keep its order, and null comes last. */
function compareLines(report: Report, { by }: Question, language: Language) {
  const collator = new Intl.Collator(language)
  const rankOf = (name: GroupName, key: string | null | undefined) => {
    const list = wordsOfGroup(report, name)
    if (key === null || key === undefined) return 1_000
    return list ? Object.keys(resources.en.reports.words[list]).indexOf(key) : 0
  }
  return (a: ReportLine, b: ReportLine) => {
    for (const name of by) {
      const difference = rankOf(name, a.keys[name]) - rankOf(name, b.keys[name])
      const order = difference || collator.compare(a.labels[name] ?? '', b.labels[name] ?? '')
      if (order !== 0) return order
    }
    return 0
  }
}
