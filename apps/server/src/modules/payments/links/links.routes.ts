import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/links/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { listLinks, shareBill, takeBackLink } from './links.ts'

/** Payment links as the applicant sees them; what they open is in `payment-pages.ts`. */
export const paymentLinkRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.listPaymentLinks, async (request) => ({
      data: await listLinks(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.sharePayment, async (request) => ({
      data: await shareBill(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.takeBackPaymentLink, async (request) => ({
      data: await takeBackLink(services, actorOf(request), request.params.id),
    }))
  }
