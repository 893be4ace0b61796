import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/students/jackets/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { findByCode, readHolder } from './jacket-holder.ts'
import { serveJacketMovements, serveJacketStock, serveJackets } from './list-jackets.ts'
import { correctToCount, exchange, handOut, receive, takeReturn } from './move-jackets.ts'

export const jacketRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveJackets(app, services)
    serveJacketStock(app, services)
    serveJacketMovements(app, services)

    serve(app, calls.findJacketHolder, async (request) => {
      const actor = actorOf(request)
      return { data: await readHolder(services, actor, await findByCode(services, actor, request.body.code)) }
    })

    serve(app, calls.readJacketHolder, async (request) => ({
      data: await readHolder(services, actorOf(request), request.params.id),
    }))

    serve(app, calls.handOutJacket, async (request) => {
      const actor = actorOf(request)
      await inTransaction(services, actor, (context) => handOut(context, request.body))
      return { data: await readHolder(services, actor, request.body.registrationId) }
    })

    serve(app, calls.exchangeJacket, async (request) => {
      const actor = actorOf(request)
      const { id } = request.params
      await inTransaction(services, actor, (context) => exchange(context, id, request.body))
      return { data: await readHolder(services, actor, id) }
    })

    serve(app, calls.returnJacket, async (request) => {
      const actor = actorOf(request)
      const { id } = request.params
      await inTransaction(services, actor, (context) => takeReturn(context, id, request.body))
      return { data: await readHolder(services, actor, id) }
    })

    serve(app, calls.receiveJackets, async (request) => {
      const actor = actorOf(request)
      return { data: await inTransaction(services, actor, (context) => receive(context, request.body)) }
    })

    serve(app, calls.countJackets, async (request) => {
      const actor = actorOf(request)
      return { data: await inTransaction(services, actor, (context) => correctToCount(context, request.body)) }
    })
  }
