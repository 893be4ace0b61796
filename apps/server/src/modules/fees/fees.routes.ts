import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  copyTuition,
  previewTuitionCopy,
  quoteTuitionAsApplicant,
  readFeeRule,
  readPlanTerms,
  readTuitionGrid,
  savePlanTerms,
  saveTuitionGrid,
} from '#domain/fees/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { quoteAsApplicant } from './applicant-quote.ts'
import { previewCopy, runCopy } from './copy-tuition.ts'
import { readRule } from './fee-rule.ts'
import { readTerms, saveTerms } from './plan-terms.ts'
import { saveGrid } from './save-tuition-grid.ts'
import { readGrid } from './tuition-grid.ts'

/** Bytes. Fits a grid of a hundred components by twenty classes. */
const maxGridBytes = 2_000_000

/** Routes for prices: tuition grid, terms of instalment plans, and the rule for registration fees. */
export const feeRoutes =
  ({ db, clock }: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, readTuitionGrid, async (request) => ({
      data: await readGrid(db, actorOf(request), request.params.parentId, request.query),
    }))
    serve(
      app,
      saveTuitionGrid,
      async (request) => {
        const actor = actorOf(request)
        const { parentId: programmeId } = request.params
        const meta = await saveGrid(db, actor, { ...request.body, programmeId, now: clock.now() })
        return { data: await readGrid(db, actor, programmeId, request.body), meta }
      },
      { bodyLimit: maxGridBytes },
    )
    serve(app, quoteTuitionAsApplicant, async (request) => ({
      data: await quoteAsApplicant(db, actorOf(request), clock.now(), {
        ...request.query,
        programmeId: request.params.parentId,
      }),
    }))
    serve(app, previewTuitionCopy, async (request) => ({ data: await previewCopy(db, actorOf(request), request.body) }))
    serve(app, copyTuition, async (request) => ({
      data: await runCopy(db, actorOf(request), request.body, clock.now()),
    }))
    serve(app, readPlanTerms, async (request) => ({ data: await readTerms(db, request.params.id) }))
    serve(app, savePlanTerms, async (request) => ({
      data: await saveTerms(db, actorOf(request), request.params.id, request.body, clock.now()),
    }))
    serve(app, readFeeRule, async (request) => ({ data: await readRule(db, request.query.waveId) }))
  }
