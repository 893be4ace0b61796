import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/testing/sessions/endpoints.ts'
import { printSession } from '#server/modules/testing/print/print-session.ts'
import { giveSeats } from '#server/modules/testing/rooms/give-seats.ts'
import { saveRooms } from '#server/modules/testing/rooms/save-rooms.ts'
import { moveParticipants, previewMove } from '#server/modules/testing/seats/move-participants.ts'
import { releaseParticipants } from '#server/modules/testing/seats/release-participants.ts'
import { admitWalkIn } from '#server/modules/testing/seats/take-seat.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { cancelSession, moveSession } from './change-session.ts'
import { createSeries, previewSeries } from './create-sessions.ts'
import { serveParticipants } from './list-participants.ts'
import { serveSessions } from './list-sessions.ts'
import { sessionCalendar, sessionDetail, wholeViewOf } from './read-session.ts'

/**
 * All programmes share the sessions: roles limited to some read them and see their own participants, but change
 * nothing.
 */
export const sessionRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services

    serveSessions(app, services)
    serveParticipants(app, services)

    serve(app, calls.readSessionCalendar, async ({ query }) => ({
      data: await sessionCalendar(db, query.from, query.to, clock.now()),
    }))
    serve(app, calls.readSession, async ({ params }) => ({ data: await sessionDetail(db, params.id, clock.now()) }))
    serve(app, calls.previewSessions, async (request) => {
      wholeViewOf(request)
      return { data: await previewSeries(db, request.body, services.clock.now()) }
    })
    serve(
      app,
      calls.createSessions,
      async (request) => ({ data: await createSeries(services, wholeViewOf(request), request.body) }),
      { status: 201 },
    )

    serve(app, calls.saveRooms, async (request) => {
      const actor = actorOf(request)
      const { id } = request.params
      await inTransaction(services, actor, (context) => saveRooms(context, id, request.body))
      return { data: await sessionDetail(db, id, clock.now()) }
    })
    serve(app, calls.giveSeats, async (request) => {
      const actor = actorOf(request)
      const { id } = request.params
      await inTransaction(services, actor, (context) => giveSeats(context, id, request.body))
      return { data: await sessionDetail(db, id, clock.now()) }
    })

    serve(app, calls.previewMove, async (request) => ({
      data: await previewMove(services, actorOf(request), request.params.id, request.body, languageOfRequest(request)),
    }))
    serve(app, calls.moveParticipants, async (request) => {
      const actor = actorOf(request)
      const moved = await inTransaction(services, actor, (context) =>
        moveParticipants(context, request.params.id, request.body),
      )
      return { data: { moved } }
    })
    serve(app, calls.releaseParticipants, async (request) => {
      const actor = actorOf(request)
      const released = await inTransaction(services, actor, (context) =>
        releaseParticipants(context, request.params.id, request.body),
      )
      return { data: { released } }
    })
    serve(app, calls.admitWalkIn, async (request) => {
      const actor = actorOf(request)
      return {
        data: await inTransaction(services, actor, (context) =>
          admitWalkIn(context, request.params.id, request.body.code),
        ),
      }
    })

    serve(app, calls.moveSession, async (request) => {
      const actor = actorOf(request)
      const toldCount = await inTransaction(services, actor, (context) =>
        moveSession(context, request.params.id, request.body),
      )
      return { data: { told: toldCount } }
    })
    serve(app, calls.cancelSession, async (request) => {
      const actor = actorOf(request)
      const toldCount = await inTransaction(services, actor, (context) =>
        cancelSession(context, request.params.id, request.body),
      )
      return { data: { told: toldCount } }
    })

    serve(
      app,
      calls.printSession,
      async (request, reply) => {
        const { language = languageOfRequest(request), ...query } = request.query
        const { name, bytes } = await printSession(services, actorOf(request), request.params.id, {
          ...query,
          language,
        })
        return sendPdf(reply, name, bytes)
      },
      { raw: true },
    )
  }
