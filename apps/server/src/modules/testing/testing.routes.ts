import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  downloadSeatCalendar,
  listTestScores,
  listTestSessions,
  recordAttendance,
  recordTestScores,
  releaseTestSeat,
  takeTestSeat,
} from '#domain/testing/endpoints.ts'
import { seatStatusFor } from '#domain/testing/seat-status.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { noteAttendance } from './attendance/note-attendance.ts'
import { getTestRegistration, getTestSeat } from './find-registration.ts'
import { placeOf } from './rooms/give-place.ts'
import { seatCalendar } from './seats/seat-calendar.ts'
import { type Seat, seatOf } from './seats/seats.ts'
import { giveSeatBack, takeSeat } from './seats/take-seat.ts'
import { findTestSession, type SessionView, testSessionsFor } from './sessions/test-sessions.ts'
import { recordScores, scoreSheet } from './test-scores.ts'
import { readWaitingPlace } from './waiting-list/waiting-places.ts'

const seatView = async (db: Db, seat: Seat, session: SessionView) => ({
  ...seat,
  ...(await placeOf(db, seat.id)),
  changeable: (seat.status === 'held' || seat.status === 'booked') && session.state !== 'closed',
  session,
})

export const testingRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services

    serve(app, listTestSessions, async (request) => {
      const registration = await getTestRegistration(db, actorOf(request), request.params.id, clock.now())
      const { timeZone } = await getSettings(db)
      const status = seatStatusFor(registration.status)
      const seat = await seatOf(db, registration.id)
      const own = seat && (await findTestSession(db, seat.testSessionId, clock.now(), timeZone))
      const sessions = registration.hasTest ? await testSessionsFor(db, registration, clock.now(), timeZone) : []
      const blockedBy = !registration.hasTest
        ? ('no_test' as const)
        : !status
          ? ('not_in_this_status' as const)
          : sessions.length === 0
            ? ('no_sessions' as const)
            : null
      return {
        data: {
          choosing: blockedBy ? null : status === 'held' ? ('hold' as const) : ('book' as const),
          blockedBy,
          seat: seat && own ? await seatView(db, seat, own) : null,
          waiting: await readWaitingPlace(db, registration.id, clock.now(), timeZone),
          sessions,
        },
      }
    })

    serve(app, takeTestSeat, async (request) => {
      const actor = actorOf(request)
      const registration = await getTestRegistration(db, actor, request.params.id, clock.now())
      const { seat, session } = await inTransaction(services, actor, (context) =>
        takeSeat(context, registration.id, request.body.testSessionId),
      )
      const { timeZone } = await getSettings(db)
      const fresh = await findTestSession(db, session.id, clock.now(), timeZone)
      return { data: await seatView(db, seat, fresh ?? session) }
    })

    serve(app, releaseTestSeat, async (request) => {
      const actor = actorOf(request)
      const registration = await getTestRegistration(db, actor, request.params.id, clock.now())
      await inTransaction(services, actor, (context) => giveSeatBack(context, registration.id))
      return { data: null }
    })

    serve(
      app,
      downloadSeatCalendar,
      async (request, reply) => {
        const { id } = await getTestRegistration(db, actorOf(request), request.params.id, clock.now())
        return reply
          .type('text/calendar; charset=utf-8')
          .header('content-disposition', 'attachment; filename="test.ics"')
          .send(await seatCalendar(services, id))
      },
      { raw: true },
    )

    serve(app, recordAttendance, async (request) => {
      const actor = actorOf(request)
      const seat = await getTestSeat(db, actor, request.params.id)
      return {
        data: await inTransaction(services, actor, (context) => noteAttendance(context, seat, request.body.attended)),
      }
    })

    serve(app, listTestScores, async (request) => {
      const registration = await getTestRegistration(db, actorOf(request), request.params.id, clock.now())
      return { data: await scoreSheet(db, registration) }
    })

    serve(app, recordTestScores, async (request) => {
      const actor = actorOf(request)
      const registration = await getTestRegistration(db, actor, request.params.id, clock.now())
      return {
        data: await inTransaction(services, actor, (context) =>
          recordScores(context, registration.id, request.body.scores),
        ),
      }
    })
  }
