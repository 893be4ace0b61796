import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/admission-calendar/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { asAttachment } from '#server/platform/http/as-attachment.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { calendarFile } from './calendar-file.ts'
import { readCalendar } from './read-calendar.ts'

export const admissionCalendarRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services
    serve(app, calls.readCalendar, async (request) => ({
      data: await readCalendar(db, actorOf(request), clock.now(), request.query),
    }))
    serve(
      app,
      calls.downloadCalendar,
      async (request, reply) =>
        asAttachment(reply, 'pmb.ics', 'text/calendar; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(await calendarFile(services, actorOf(request), languageOfRequest(request))),
      { raw: true },
    )
  }
