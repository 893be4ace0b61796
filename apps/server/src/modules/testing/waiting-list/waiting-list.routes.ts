import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/testing/waiting-endpoints.ts'
import { getTestRegistration } from '#server/modules/testing/find-registration.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { joinWaitingList, leaveWaitingList, readWaitingPlace } from './waiting-places.ts'

export const waitingListRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services

    serve(app, calls.joinWaitingList, async (request) => {
      const actor = actorOf(request)
      const { id } = await getTestRegistration(db, actor, request.params.id, clock.now())
      const { timeZone } = await getSettings(db)
      const data = await db.transaction().execute(async (tx) => {
        await joinWaitingList(tx, services, actor, id, request.body.testSessionId)
        return readWaitingPlace(tx, id, clock.now(), timeZone)
      })
      return { data: data! }
    })

    serve(app, calls.leaveWaitingList, async (request) => {
      const actor = actorOf(request)
      const { id } = await getTestRegistration(db, actor, request.params.id, clock.now())
      await db.transaction().execute((tx) => leaveWaitingList(tx, services, actor, id))
      return { data: null }
    })
  }
