import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { forecastCalls, forecastReports } from '#domain/seasons/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import { answerOnce, reachOf } from '#server/platform/kept-answers.ts'
import type { Services } from '#server/platform/services.ts'
import { exportForecast } from './export-forecast.ts'
import { readForecast } from './read-forecast.ts'

export const forecastRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    for (const slug of forecastReports) {
      const calls = forecastCalls(slug)

      serve(app, calls.read, async (request) => {
        const actor = actorOf(request)
        const { answer } = await answerOnce(services, {
          name: `prakiraan-${slug}`,
          reach: [reachOf(actor), request.query],
          async compute() {
            const { data, keptUntil, at } = await readForecast(services, actor, request.query)
            return { data, meta: { asOf: at.toISOString(), keptUntil } }
          },
          worthKeeping: (_, tookMs) => tookMs > services.config.keepReportsFromMs,
        })
        return answer
      })

      serve(
        app,
        calls.export,
        (request, reply) => exportForecast(services, request, reply, slug, languageOfRequest(request)),
        { raw: true },
      )
    }
  }
