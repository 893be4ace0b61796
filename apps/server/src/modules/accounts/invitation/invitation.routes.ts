import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/accounts/entrance-endpoints.ts'
import { deviceOf } from '#server/modules/accounts/signed-in.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { acceptInvitation, readInvitation } from './invitation.ts'

/** Public routes behind the link of an invitation mail. */
export const invitationRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services
    const rateLimit = { max: 60, timeWindow: '10 minutes' }

    serve(
      app,
      calls.checkInvitation,
      async (request) => ({ data: await readInvitation(db, request.body.token, clock.now()) }),
      { rateLimit },
    )

    serve(app, calls.acceptInvitation, (request) => acceptInvitation(services, request.body, deviceOf(request)), {
      rateLimit,
      config: { secretAnswer: true },
    })
  }
