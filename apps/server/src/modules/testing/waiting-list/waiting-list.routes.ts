import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/testing/waiting-endpoints.ts'
import { getTestRegistration } from '#server/modules/testing/find-registration.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { joinWaitingList, leaveWaitingList, readWaitingPlace } from './waiting-places.ts'

export const waitingListRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services

    serve(app, calls.joinWaitingList, async (request) => {
      const actor = actorOf(request)
      const { id } = await getTestRegistration(db, actor, request.params.id, clock.now())
      const { timeZone } = await getSettings(db)
      const data = await inTransaction(services, actor, async (context) => {
        const { tx } = context
        await joinWaitingList(context, id, request.body.testSessionId)
        return readWaitingPlace(tx, id, clock.now(), timeZone)
      })
      return { data: data! }
    })

    serve(app, calls.leaveWaitingList, async (request) => {
      const actor = actorOf(request)
      const { id } = await getTestRegistration(db, actor, request.params.id, clock.now())
      await inTransaction(services, actor, (context) => leaveWaitingList(context, id))
      return { data: null }
    })
  }
