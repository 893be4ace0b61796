import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/admission-calendar/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { readCalendar } from './read-calendar.ts'

export const admissionCalendarRoutes =
  ({ db, clock }: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.readCalendar, async (request) => ({
      data: await readCalendar(db, actorOf(request), clock.now(), request.query),
    }))
  }
