import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/students/feeder/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { checkConnection } from './check-connection.ts'
import { showConnection } from './connection.ts'
import { correctStudent, mapRegion } from './correct-student.ts'
import { serveFeederResults, serveFeederStudents } from './list-feeder.ts'
import { saveConnection } from './save-connection.ts'
import { sendFeederSheet } from './send-sheet.ts'
import { previewSending, sendStudents, stopSending } from './send-students.ts'
import { readFeederStudent } from './show-student.ts'

/**
 * Students for the ministry's register (PDDikti Neo Feeder): their missing data, sending, and the connection's
 * settings.
 */
export const feederRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveFeederStudents(app, services)
    serveFeederResults(app, services)
    serve(
      app,
      calls.downloadFeederSheet,
      (request, reply) => sendFeederSheet(services, request, reply, request.query),
      {
        raw: true,
      },
    )
    serve(app, calls.readFeederStudent, async (request) => ({
      data: await readFeederStudent(services, actorOf(request), request.params.registrationId),
    }))
    serve(app, calls.correctFeederStudent, async (request) => ({
      data: await correctStudent(services, actorOf(request), request.params.registrationId, request.body),
    }))
    serve(app, calls.mapFeederRegion, async (request) => ({
      data: await mapRegion(services, wholeViewOf(request), request.body),
    }))
    serve(app, calls.previewFeederSending, async (request) => ({
      data: await previewSending(services, actorOf(request), request.body.ids),
    }))
    serve(app, calls.sendToFeeder, async (request) => ({
      data: await sendStudents(services, actorOf(request), request.body.ids),
    }))
    serve(app, calls.stopFeederSending, async (request) => ({
      data: await stopSending(services, actorOf(request), request.body.ids),
    }))

    serve(app, calls.readFeederConnection, async (request) => {
      wholeViewOf(request)
      return { data: await showConnection(services) }
    })
    serve(app, calls.saveFeederConnection, async (request) => ({
      data: await saveConnection(services, wholeViewOf(request), request.body),
    }))
    serve(
      app,
      calls.checkFeederConnection,
      async (request) => ({ data: await checkConnection(services, wholeViewOf(request)) }),
      {
        rateLimit: { max: 20, timeWindow: '1 minute', keyOf: (request) => request.actor?.accountId ?? '' },
      },
    )
  }
