import type { ReportLine, ReportQuestion } from '#domain/reports/endpoints.ts'
import { shareCount } from '#server/list/count-rows.ts'
import type { CardQuestion } from '#server/modules/dashboards/card.ts'
import { readQuestion } from '#server/modules/reports/engine/read-question.ts'
import { runReport } from '#server/modules/reports/engine/run-report.ts'
import type { Report } from '#server/modules/reports/report.ts'
import { reachOf } from '#server/platform/kept-answers.ts'

export type Answered = { lines: ReportLine[]; total: ReportLine | undefined }

/**
 * Lines and total of a report within the reader's scope, shared by cards that ask the same at the same time. A card
 * uses the measures of the report it opens, so both agree.
 */
export function readReport({ services, actor, at }: CardQuestion, report: Report, by: string, compare: boolean) {
  const { db } = services
  return shareCount<Answered>(
    db,
    JSON.stringify(['report of a card', report.slug, by, compare, reachOf(actor)]),
    async () => {
      const request = { by, compare: compare ? 'yes' : 'no' } as ReportQuestion
      const found = await runReport(db, report, actor, await readQuestion(db, report, request, at))
      const isTotal = ({ keys }: ReportLine) => Object.keys(keys).length === 0
      return { lines: found.filter((line) => !isTotal(line)), total: found.find(isTotal) }
    },
    ({ total }) => Object.values(total?.values ?? {})[0] ?? 0,
  )
}
