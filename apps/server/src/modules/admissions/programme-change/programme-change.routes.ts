import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/admissions/programme-change-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { changeProgramme } from './change-programme.ts'
import { findCandidates, serveChanges } from './list-changes.ts'
import { previewChange, readTargets } from './preview-change.ts'

export const programmeChangeRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveChanges(app, services)
    serve(app, calls.findChangeCandidates, async (request) => ({
      data: await findCandidates(services, actorOf(request), request.query),
    }))
    serve(app, calls.readChangeTargets, async (request) => ({
      data: await readTargets(services, actorOf(request), request.params.id, languageOfRequest(request)),
    }))
    serve(app, calls.previewProgrammeChange, async (request) => ({
      data: await previewChange(
        services,
        actorOf(request),
        request.params.id,
        request.body,
        languageOfRequest(request),
      ),
    }))
    serve(app, calls.changeProgramme, async (request) => ({
      data: await changeProgramme(services, actorOf(request), request.params.id, request.body),
    }))
  }
