import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/banks/after-restore/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { endRestored } from './end-restored.ts'
import { readRestored } from './read-restored.ts'

export const restoredRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.readRestored, async (request) => ({ data: await readRestored(services, actorOf(request)) }))
    serve(app, calls.endRestored, async (request) => ({
      data: await endRestored(services, actorOf(request), request.body),
    }))
  }
