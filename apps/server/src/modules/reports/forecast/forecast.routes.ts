import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { forecastCalls, forecastReports } from '#domain/seasons/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import { answerOnce, reachOf } from '#server/platform/kept-answers.ts'
import type { Services } from '#server/platform/services.ts'
import { exportForecast } from './export-forecast.ts'
import { readForecast } from './read-forecast.ts'

/** A forecast that takes longer is kept for the next readers with the same reach. */
const keptFromMs = 500

export const forecastRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    for (const slug of forecastReports) {
      const calls = forecastCalls(slug)

      serve(app, calls.read, async (request) => {
        const actor = actorOf(request)
        let tookMs = 0
        const { answer } = await answerOnce(services, {
          name: `prakiraan-${slug}`,
          reach: [reachOf(actor), request.query],
          async compute() {
            const startMs = performance.now()
            const { data, keptUntil, at } = await readForecast(services, actor, request.query)
            tookMs = performance.now() - startMs
            return { data, meta: { asOf: at.toISOString(), keptUntil } }
          },
          worthKeeping: () => tookMs > keptFromMs,
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
