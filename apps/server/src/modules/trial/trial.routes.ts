import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/trial/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { trialChoices } from './trial-choices.ts'
import { findTrial, leaveTrial, removeTrial, seeTrial, startTrial, takeStep } from './trials.ts'

export const trialRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.readTrial, async (request) => ({ data: await findTrial(services, actorOf(request)) }))
    serve(app, calls.readTrialChoices, async () => ({ data: await trialChoices(services.db) }))
    serve(app, calls.startTrial, async (request) => {
      const actor = actorOf(request)
      await startTrial(services, actor, request.body)
      return { data: (await findTrial(services, actor))! }
    })
    serve(app, calls.takeTrialStep, (request) =>
      takeStep(services, actorOf(request), request.body.step, languageOfRequest(request)),
    )
    serve(app, calls.seeTrial, (request) => seeTrial(services, actorOf(request)), { config: { secretAnswer: true } })
    serve(app, calls.leaveTrial, async (request) => {
      await leaveTrial(services, actorOf(request))
      return { data: null }
    })
    serve(app, calls.removeTrial, async (request) => {
      await removeTrial(services, actorOf(request))
      return { data: null }
    })
  }
