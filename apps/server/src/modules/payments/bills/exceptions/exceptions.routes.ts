import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/bills/exceptions/endpoints.ts'
import { findSibling } from '#server/modules/payments/bills/prices/sibling.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { askException } from './bill-exceptions.ts'
import { manualDiscounts } from './discount-by-hand.ts'

/** Exceptions that staff request for a bill. */
export const billExceptionRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.manualDiscounts, async (request) => ({ data: await manualDiscounts(services, request.query) }))
    serve(app, calls.findSibling, async (request) => ({
      data: await findSibling(services.db, actorOf(request), request.params.id, request.query.number),
    }))
    serve(app, calls.askException, async (request) => ({
      data: await askException(services, actorOf(request), request.params.id, request.body),
    }))
  }
