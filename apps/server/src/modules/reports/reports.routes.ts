import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reportCalls } from '#domain/reports/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import { answerOnce, reachOf } from '#server/platform/kept-answers.ts'
import type { Services } from '#server/platform/services.ts'
import { answerReport } from './engine/answer-report.ts'
import { describeReport } from './engine/describe-report.ts'
import { exportFigures, exportRows } from './engine/export-report.ts'
import { readRowsBehind } from './engine/report-rows.ts'
import { reports } from './index.ts'
import type { Report } from './report.ts'

/** Routes of every report, each with its own permission. */
export const reportRoutes =
  (services: Services, served: readonly Report[] = reports): FastifyPluginAsyncZod =>
  async (app) => {
    for (const report of served) {
      const calls = reportCalls(report.slug)

      serve(app, calls.describe, async (request) => ({
        data: await describeReport(services.db, actorOf(request), report, languageOfRequest(request)),
      }))

      serve(app, calls.read, async (request) => {
        const actor = actorOf(request)
        const language = languageOfRequest(request)
        const { answer } = await answerOnce(services, {
          name: `laporan-${report.slug}`,
          reach: [reachOf(actor), language, request.query],
          async compute() {
            const { question, lines, total, target } = await answerReport(
              services,
              actor,
              report,
              request.query,
              language,
            )
            const { by, year, at, before } = question
            const asOf = at.toISOString()
            return {
              data: { lines, total },
              meta: { by: [...by], year, asOf, before: before && { ...before, asOf: before.at.toISOString() }, target },
            }
          },
          worthKeeping: (_, tookMs) => tookMs > services.config.keepReportsFromMs,
        })
        return answer
      })

      serve(app, calls.listRows, async (request) => {
        const { page, per_page, ...question } = request.query
        const behind = await readRowsBehind(services, actorOf(request), report, question, languageOfRequest(request))
        const [found, { total, sum }] = await Promise.all([behind.page(page, per_page), behind.count()])
        return {
          data: found.map((row) => ({ id: row.id, path: row.path, cells: toJson(behind.cellsOf(row)) })),
          meta: { searchable: behind.searchable, total, sum, columns: behind.columns, asOf: behind.question.at },
        }
      })

      serve(app, calls.exportFigures, (request, reply) => exportFigures(services, request, reply, report), {
        raw: true,
      })
      serve(app, calls.exportRows, (request, reply) => exportRows(services, request, reply, report), { raw: true })
    }
  }

const toJson = (cells: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as Record<string, string | number | boolean | null>
