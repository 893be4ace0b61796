import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as doorCalls from '#domain/events/check-in-endpoints.ts'
import * as calls from '#domain/events/endpoints.ts'
import * as open from '#domain/events/public-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { receiveFile } from '#server/platform/files/stored-files.ts'
import { asAttachment } from '#server/platform/http/as-attachment.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { cancelVisit } from './cancel-visit.ts'
import { readCheckIns } from './door/check-in-list.ts'
import { recordCheckIns } from './door/record-check-ins.ts'
import { serveEvents, serveVisitors } from './event-lists.ts'
import { addMaterial, materialFile, materialRules, publishMaterial, removeMaterial } from './materials.ts'
import { createEvent, stepEvent, updateEvent } from './save-event.ts'
import { choicesOf, showEvent, showFigures } from './show-event.ts'
import { comingOf, getOpenEvent, keepOpenEvents, toOpenEvent } from './visitors/open-events.ts'
import { registerVisitor } from './visitors/register-visitor.ts'
import { cancelTicket, materialForVisitor, moveTicket, showTicket, ticketCalendar } from './visitors/tickets.ts'

/** A whole school may register from one IP address within one lesson. */
const forASchool = { rateLimit: { max: 600, timeWindow: '10 minutes' } }
/** Codes cannot be guessed: few of the 2^50 exist. */
const forTickets = { rateLimit: { max: 300, timeWindow: '1 minute' } }

/** Public event pages and tickets, check-in, and the pages of staff and affiliates. */
export const eventRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock, files } = services
    const publicEvents = keepOpenEvents(services)
    const publicCache = 'public, max-age=5'

    serve(app, open.listOpenEvents, async (_request, reply) => {
      reply.header('cache-control', publicCache)
      const now = clock.now()
      return { data: comingOf(await publicEvents(), now).map((row) => toOpenEvent(row, now)) }
    })
    serve(app, open.readOpenEvent, async (request, reply) => {
      reply.header('cache-control', publicCache)
      const row = getOpenEvent(await publicEvents(), request.params.slug)
      const { universityName } = await getSettings(db)
      return { data: { ...toOpenEvent(row, clock.now()), university: universityName } }
    })
    serve(
      app,
      open.registerVisitor,
      async (request) => ({ data: await registerVisitor(services, request.params.slug, request.body) }),
      forASchool,
    )
    serve(
      app,
      open.readTicket,
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return { data: await showTicket(services, request.params.code) }
      },
      forTickets,
    )
    serve(
      app,
      open.moveTicket,
      async (request) => {
        await moveTicket(services, request.params.code, request.body.sessionId)
        return { data: await showTicket(services, request.params.code) }
      },
      forTickets,
    )
    serve(
      app,
      open.cancelTicket,
      async (request) => {
        await cancelTicket(services, request.params.code)
        return { data: await showTicket(services, request.params.code) }
      },
      forTickets,
    )
    serve(
      app,
      open.ticketCalendar,
      async (request, reply) => {
        const calendar = await ticketCalendar(services, request.params.code)
        return asAttachment(reply, 'acara.ics', 'text/calendar; charset=utf-8').send(calendar)
      },
      { ...forTickets, raw: true },
    )
    serve(
      app,
      open.ticketMaterial,
      async (request, reply) => {
        const file = await materialForVisitor(services, request.params.code, request.params.materialId)
        return asAttachment(reply, file.name, file.mime).send(await files.read(file.storageKey))
      },
      { ...forTickets, raw: true },
    )

    serveEvents(app, services)
    serve(app, calls.eventChoices, async () => ({ data: await choicesOf(db) }))
    serve(app, calls.createEvent, async (request) => ({
      data: await createEvent(services, wholeViewOf(request), request.body),
    }))
    serve(app, calls.readEvent, async (request) => ({
      data: await showEvent(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.updateEvent, async (request) => ({
      data: await updateEvent(services, wholeViewOf(request), request.params.id, request.body),
    }))
    serve(app, calls.readEventFigures, async (request) => ({
      data: await showFigures(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.publishEvent, async (request) => ({
      data: await stepEvent(services, wholeViewOf(request), request.params.id, 'publish'),
    }))
    serve(app, calls.closeEvent, async (request) => ({
      data: await stepEvent(services, wholeViewOf(request), request.params.id, 'close'),
    }))
    serve(app, calls.cancelEvent, async (request) => ({
      data: await stepEvent(services, wholeViewOf(request), request.params.id, 'cancel', request.body.reason),
    }))
    serveVisitors(app, services)
    serve(app, calls.cancelVisit, async (request) => ({
      data: await cancelVisit(services, wholeViewOf(request), request.params.id, request.params.visitorId),
    }))

    serve(app, calls.addMaterial, async (request) => {
      const actor = wholeViewOf(request)
      const file = await receiveFile(services, request, materialRules)
      return { data: await addMaterial(services, actor, request.params.id, file, request.query) }
    })
    serve(app, calls.publishMaterial, async (request) => {
      const { params, body } = request
      return {
        data: await publishMaterial(services, wholeViewOf(request), params.id, params.materialId, body.published),
      }
    })
    serve(app, calls.removeMaterial, async (request) => ({
      data: await removeMaterial(services, wholeViewOf(request), request.params.id, request.params.materialId),
    }))
    serve(
      app,
      calls.downloadMaterial,
      async (request, reply) => {
        const file = await materialFile(services, actorOf(request), request.params.id, request.params.materialId)
        return asAttachment(reply, file.name, file.mime).send(await files.read(file.storageKey))
      },
      { raw: true },
    )

    serve(app, doorCalls.readCheckIns, async (request) => ({
      data: await readCheckIns(services, actorOf(request), request.params.id),
    }))
    serve(app, doorCalls.recordCheckIns, async (request) => ({
      data: await recordCheckIns(services, actorOf(request), request.params.id, request.body),
    }))
  }
