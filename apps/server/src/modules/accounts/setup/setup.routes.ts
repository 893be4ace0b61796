import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/accounts/setup-endpoints.ts'
import { deviceOf } from '#server/modules/accounts/signed-in.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { becomeAdministrator, readSetupLink } from './setup-link.ts'

/**
 * Public routes behind an address printed on the server. The secret travels in request bodies, which no log contains.
 */
export const setupRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const rateLimit = { max: 60, timeWindow: '10 minutes' }

    serve(
      app,
      calls.checkSetup,
      async (request) => ({ data: await readSetupLink(services.db, request.body.token, services.clock.now()) }),
      { rateLimit },
    )

    serve(app, calls.becomeAdministrator, (request) => becomeAdministrator(services, request.body, deviceOf(request)), {
      rateLimit,
      config: { secretAnswer: true },
    })
  }
