import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/opening/endpoints.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { showOpening } from './checklist.ts'
import { closeRegistration, openRegistration, unwaiveLine, waiveLine } from './open-registration.ts'
import { addStartingSet, readStartingSet } from './starting-set.ts'

/** /settings/opening: the checklist before registration opens, opening and closing, and the starting set. */
export const openingRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.readOpening, async (request) => {
      wholeViewOf(request)
      return { data: await showOpening(services, services.db) }
    })
    serve(app, calls.openRegistration, async (request) => ({
      data: await openRegistration(services, wholeViewOf(request), languageOfRequest(request)),
    }))
    serve(app, calls.closeRegistration, async (request) => ({
      data: await closeRegistration(services, wholeViewOf(request), request.body.reason),
    }))
    serve(app, calls.waiveLine, async (request) => ({
      data: await waiveLine(services, wholeViewOf(request), request.body.line, request.body.reason),
    }))
    serve(app, calls.unwaiveLine, async (request) => ({
      data: await unwaiveLine(services, wholeViewOf(request), request.body.line),
    }))
    serve(app, calls.readStartingSet, async (request) => ({
      data: await readStartingSet(services.db, wholeViewOf(request)),
    }))
    serve(app, calls.addStartingSet, async (request) => ({
      data: await addStartingSet(services, wholeViewOf(request), languageOfRequest(request), request.body.keys),
    }))
  }
