import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/students/campus/endpoints.ts'
import { bearerToken } from '#server/platform/access/authentication.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { hashToken } from '#server/platform/access/tokens.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { readMapping, saveMapping, sendCampusCsv } from './campus-csv.ts'
import { createToken, getToken, revokeToken, serveCalls, serveTokens } from './campus-tokens.ts'
import { readStudents } from './read-students.ts'

/** Students for the campus system: CSV and its columns, tokens, and the calls made with a token. */
export const campusRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.readCampusMapping, async () => ({ data: await readMapping(services.db) }))
    serve(app, calls.saveCampusMapping, async (request) => ({
      data: await saveMapping(services, actorOf(request), request.body),
    }))
    serve(app, calls.downloadCampusCsv, (request, reply) => sendCampusCsv(services, request, reply, request.query), {
      raw: true,
    })

    serveTokens(app, services)
    serveCalls(app, services)
    serve(
      app,
      calls.createCampusToken,
      async (request) => ({ data: await createToken(services, wholeViewOf(request), request.body) }),
      { config: { secretAnswer: true } },
    )
    serve(app, calls.readCampusToken, async (request) => {
      wholeViewOf(request)
      return { data: await getToken(services.db, request.params.id) }
    })
    serve(app, calls.revokeCampusToken, async (request) => ({
      data: await revokeToken(services, wholeViewOf(request), request.params.id, request.body.reason),
    }))

    serve(app, calls.readCampusStudents, (request) => readStudents(services, request, request.query), {
      rateLimit: {
        max: 60,
        timeWindow: '1 minute',
        keyOf: (request) => hashToken(bearerToken(request) ?? '').toString('base64'),
      },
    })
  }
