import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/admissions/offer-endpoints.ts'
import {
  closeReserveList,
  offerReservePlace,
  skipReservePlace,
} from '#server/modules/admissions/reserve/change-reserve.ts'
import { serveReservePlaces } from '#server/modules/admissions/reserve/list-reserve.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { extendOffer, markResultSeen, reopenOffer } from './answer-deadline.ts'
import { serveOffers } from './list-offers.ts'
import { previewOfferReminders, remindOffers } from './remind-offers.ts'

/** Routes for offers (list, deadlines, reminders) and for the reserve lists. */
export const offerRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveOffers(app, services)
    serve(app, calls.markResultSeen, async (request) => ({
      data: await markResultSeen(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.extendOffer, async (request) => {
      const { dueAt, reason } = request.body
      return { data: await extendOffer(services, actorOf(request), request.params.id, new Date(dueAt), reason) }
    })
    serve(app, calls.reopenOffer, async (request) => {
      const { dueAt, reason } = request.body
      return { data: await reopenOffer(services, actorOf(request), request.params.id, new Date(dueAt), reason) }
    })
    serve(app, calls.previewOfferReminders, async (request) => ({
      data: await previewOfferReminders(services, actorOf(request), request.body.ids, languageOfRequest(request)),
    }))
    serve(app, calls.remindOffers, async (request) => ({
      data: await remindOffers(services, actorOf(request), request.body.ids),
    }))

    serveReservePlaces(app, services)
    serve(app, calls.offerReservePlace, async (request) => ({
      data: await offerReservePlace(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.skipReservePlace, async (request) => ({
      data: await skipReservePlace(services, actorOf(request), request.params.id, request.body.reason),
    }))
    serve(app, calls.closeReserveList, async (request) => ({
      data: await closeReserveList(services, actorOf(request), request.params.id, request.body.reason),
    }))
  }
