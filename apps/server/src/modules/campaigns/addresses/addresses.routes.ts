import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/campaigns/address-endpoints.ts'
import { addTemplate, changeTemplate, serveTemplates } from '#server/modules/campaigns/templates.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { keepBytes } from '#server/platform/http/raw-body.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { serveOptOuts, serveSuppressions } from './list-addresses.ts'
import * as optOuts from './opt-outs.ts'
import { liftSuppression } from './suppressions.ts'

const linkLimit = { rateLimit: { max: 60, timeWindow: '1 minute' } }
/** Limits posts per token, because a mail provider posts for many people from few IP addresses. */
const postLimit = {
  rateLimit: {
    ...linkLimit.rateLimit,
    keyOf: ({ params }: FastifyRequest) => (params as { token: string }).token,
  },
}

/** Routes for suppressed addresses, opt-outs, templates, and the page behind an opt-out link. */
export const campaignAddressRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveSuppressions(app, services)
    serveOptOuts(app, services)
    serveTemplates(app, services)
    serve(app, calls.liftSuppression, async (request) => ({
      data: await liftSuppression(services, actorOf(request), request.params.id, request.body.version),
    }))
    serve(
      app,
      calls.noteOptOut,
      async (request) => ({ data: await optOuts.noteByStaff(services, actorOf(request), request.body) }),
      { status: 201 },
    )
    serve(app, calls.liftOptOut, async (request) => ({
      data: await optOuts.liftOptOut(services, actorOf(request), request.params.id, request.body),
    }))
    serve(
      app,
      calls.createTemplate,
      async (request) => ({ data: await addTemplate(services, actorOf(request), request.body) }),
      { status: 201 },
    )
    serve(app, calls.updateTemplate, async (request) => ({
      data: await changeTemplate(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.readOwnOptOuts, async (request) => ({
      data: await optOuts.readOwn(services.db, actorOf(request)),
    }))
    serve(app, calls.saveOwnOptOuts, async (request) => ({
      data: await optOuts.saveOwn(services, actorOf(request), request.body.optedOut),
    }))
    serve(
      app,
      calls.readOptOut,
      async (request) => ({ data: await optOuts.readByLink(services, request.params.token) }),
      linkLimit,
    )
    serve(
      app,
      calls.saveOptOut,
      async (request) => ({
        data: await optOuts.saveByLink(services, request.params.token, request.body.optedOut),
      }),
      linkLimit,
    )
  }

/** Route that mail programs post to for a one-click opt-out. The token is in the URL; the posted form is ignored. */
export const oneClickRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    keepBytes(app)
    serve(
      app,
      calls.optOutAtOnce,
      async (request) => ({ data: await optOuts.optOutByOneClick(services, request.params.token) }),
      postLimit,
    )
  }
