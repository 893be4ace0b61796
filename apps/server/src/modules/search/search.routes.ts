import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { searchEverything as call } from '#domain/search/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { searchEverything } from './search-everything.ts'

export const searchRoutes =
  ({ db, clock }: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, call, async (request) => ({
      data: await searchEverything(db, actorOf(request), request.query.q, clock.now()),
    }))
  }
