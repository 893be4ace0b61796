import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/trial/endpoints.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { trialChoices } from './trial-choices.ts'
import { findTrial, leaveTrial, removeTrial, seeTrial, startTrial, takeStep } from './trials.ts'

export const trialRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.readTrial, async (request) => ({ data: await findTrial(services, wholeViewOf(request)) }))
    serve(app, calls.readTrialChoices, async (request) => {
      wholeViewOf(request)
      return { data: await trialChoices(services.db) }
    })
    serve(app, calls.startTrial, async (request) => ({
      data: await startTrial(services, wholeViewOf(request), request.body),
    }))
    serve(app, calls.takeTrialStep, (request) =>
      takeStep(services, wholeViewOf(request), request.body.step, languageOfRequest(request)),
    )
    serve(app, calls.seeTrial, (request) => seeTrial(services, wholeViewOf(request)), {
      config: { secretAnswer: true },
    })
    serve(app, calls.leaveTrial, async (request) => {
      await leaveTrial(services, wholeViewOf(request))
      return { data: null }
    })
    serve(app, calls.removeTrial, async (request) => {
      await removeTrial(services, wholeViewOf(request))
      return { data: null }
    })
  }
