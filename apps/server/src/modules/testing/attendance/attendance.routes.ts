import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/testing/attendance-endpoints.ts'
import { getTestSeat } from '#server/modules/testing/find-registration.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { readAttendance } from './attendance-list.ts'
import { excuseAbsence } from './excuse-absence.ts'
import { recordScans } from './record-scans.ts'

export const attendanceRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services

    serve(app, calls.readAttendance, async (request) => ({
      data: await readAttendance(services, actorOf(request), request.params.id),
    }))

    serve(app, calls.recordScans, async (request) => ({
      data: await recordScans(services, actorOf(request), request.params.id, request.body),
    }))

    serve(app, calls.excuseAbsence, async (request) => {
      const actor = actorOf(request)
      const seat = await getTestSeat(db, actor, request.params.id)
      return { data: await inTransaction(services, actor, (context) => excuseAbsence(context, seat, request.body)) }
    })
  }
