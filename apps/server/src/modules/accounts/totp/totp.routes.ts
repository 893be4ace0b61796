import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/accounts/totp-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { confirmTotp, endTotp, readTotp, renewRecoveryCodes, startTotp } from './totp-settings.ts'

const rateLimit = { max: 30, timeWindow: '1 minute' }
/**
 * Open to accounts that must still set up the second factor; closed to actors seeing as this account; answers hold
 * secrets.
 */
const config = { beforeTotp: true, seenAs: 'private', secretAnswer: true }

/** Routes for the second factor of the signed-in account. */
export const totpRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.readTotp, async (request) => ({ data: await readTotp(services.db, actorOf(request)) }), { config })

    serve(app, calls.startTotp, async (request) => ({ data: await startTotp(services, actorOf(request)) }), {
      rateLimit,
      config,
    })

    serve(
      app,
      calls.confirmTotp,
      async (request) => ({
        data: await confirmTotp(services, actorOf(request), request.body.code, languageOfRequest(request)),
      }),
      { rateLimit, config },
    )

    serve(
      app,
      calls.renewRecoveryCodes,
      async (request) => ({
        data: await renewRecoveryCodes(services, actorOf(request), request.body, languageOfRequest(request)),
      }),
      { rateLimit, config },
    )

    serve(
      app,
      calls.endTotp,
      async (request) => ({
        data: await endTotp(services, actorOf(request), request.body, languageOfRequest(request)),
      }),
      { rateLimit, config },
    )
  }
