import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/seasons/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { keepSeasons } from './keep-seasons.ts'

export const seasonRoutes =
  ({ db, clock }: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.keepSeasons, async (request) => {
      const actor = requireWholeView(actorOf(request), 'ops_needs_whole_view')
      return { data: await keepSeasons(db, { now: clock.now(), actor }) }
    })
  }
