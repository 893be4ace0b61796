import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/admissions/programme-change-endpoints.ts'
import * as requestCalls from '#domain/admissions/programme-request-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { changeProgramme } from './change-programme.ts'
import { findCandidates, serveChanges } from './list-changes.ts'
import { serveRequests } from './list-requests.ts'
import { previewChange, readTargets } from './preview-change.ts'
import { askProgrammeChange, readOwnRequest, refuseRequest, withdrawRequest } from './requests.ts'

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

    serveRequests(app, services)
    serve(app, requestCalls.readProgrammeRequest, async (request) => ({
      data: await readOwnRequest(services, actorOf(request), request.params.id, languageOfRequest(request)),
    }))
    serve(app, requestCalls.previewProgrammeRequest, async (request) => ({
      data: await previewChange(
        services,
        actorOf(request),
        request.params.id,
        request.body,
        languageOfRequest(request),
      ),
    }))
    serve(app, requestCalls.askProgrammeChange, async (request) => ({
      data: await askProgrammeChange(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, requestCalls.withdrawProgrammeRequest, async (request) => ({
      data: await withdrawRequest(services, actorOf(request), request.params.id),
    }))
    serve(app, requestCalls.refuseProgrammeRequest, async (request) => ({
      data: await refuseRequest(services, actorOf(request), request.params.id, request.body.reason),
    }))
  }
