import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/selection/endpoints.ts'
import * as quotaCalls from '#domain/selection/quota-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { requestAdoption } from './adopt/request-adoption.ts'
import { serveQuotaBoard } from './quotas/quota-board.ts'
import { readGrid, saveGrid } from './quotas/quota-grid.ts'
import { readWaveQuotas, saveWaveQuotas } from './quotas/wave-quotas.ts'
import {
  copyRun,
  createRun,
  holdInRun,
  recomputeRun,
  releaseHoldInRun,
  removeRun,
  requireWhole,
  updateRun,
} from './runs/change-run.ts'
import { readDefaults } from './runs/defaults.ts'
import { serveEntries } from './runs/list-entries.ts'
import { serveMoves, serveRuns } from './runs/list-runs.ts'
import { showRun } from './runs/show-run.ts'
import { tryPlaces } from './runs/what-if.ts'
import { verifyRun } from './verify/verify-run.ts'

type Asking = Parameters<typeof actorOf>[0] & Parameters<typeof languageOfRequest>[0]

export const selectionRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services
    const show = async (request: Asking, id: string) => ({
      data: await showRun(services, actorOf(request), languageOfRequest(request), id),
    })

    serveQuotaBoard(app, services)
    serve(app, quotaCalls.readQuotaGrid, async (request) => ({
      data: await readGrid(services, actorOf(request), languageOfRequest(request), request.params.id),
    }))
    serve(app, quotaCalls.saveQuotaGrid, async (request) => {
      const actor = actorOf(request)
      await saveGrid(services, actor, request.params.id, request.body)
      return { data: await readGrid(services, actor, languageOfRequest(request), request.params.id) }
    })
    serve(app, quotaCalls.readWaveQuotas, async (request) => ({
      data: await readWaveQuotas(db, actorOf(request), languageOfRequest(request), request.params.id),
    }))
    serve(app, quotaCalls.saveWaveQuotas, async (request) => {
      const actor = actorOf(request)
      await saveWaveQuotas(services, actor, request.params.id, request.body.programmes)
      return { data: await readWaveQuotas(db, actor, languageOfRequest(request), request.params.id) }
    })

    serveRuns(app, services)
    serve(app, calls.readSelectionDefaults, async (request) => {
      requireWhole(actorOf(request))
      return { data: await readDefaults(db, request.query.waveId) }
    })
    serve(
      app,
      calls.createSelectionRun,
      async (request) => show(request, await createRun(services, actorOf(request), request.body)),
      { status: 201 },
    )
    serve(app, calls.readSelectionRun, (request) => show(request, request.params.id))
    serve(app, calls.updateSelectionRun, async (request) => {
      await updateRun(services, actorOf(request), request.params.id, request.body)
      return show(request, request.params.id)
    })
    serve(app, calls.computeSelectionRun, async (request) => {
      await recomputeRun(services, actorOf(request), request.params.id, request.body.version)
      return show(request, request.params.id)
    })
    serve(
      app,
      calls.copySelectionRun,
      async (request) => show(request, await copyRun(services, actorOf(request), request.params.id, request.body)),
      { status: 201 },
    )
    serve(app, calls.removeSelectionRun, async (request) => {
      await removeRun(services, actorOf(request), request.params.id, request.query.version)
      return { data: null }
    })
    serve(app, calls.holdPlace, async (request) => {
      await holdInRun(services, actorOf(request), request.params.id, request.body)
      return show(request, request.params.id)
    })
    serve(app, calls.releaseHold, async (request) => {
      const { id, registrationId } = request.params
      await releaseHoldInRun(services, actorOf(request), id, registrationId, request.query.version)
      return show(request, id)
    })

    serveEntries(app, services)
    serveMoves(app, services)
    serve(
      app,
      calls.tryQuotas,
      async (request) => {
        requireWhole(actorOf(request))
        return { data: await tryPlaces(services, request.params.id, request.body.places) }
      },
      { rateLimit: { max: 120, timeWindow: '1 minute' } },
    )
    serve(app, calls.verifySelectionRun, async (request) => {
      await verifyRun(services, actorOf(request), request.params.id)
      return show(request, request.params.id)
    })
    serve(app, calls.adoptSelectionRun, async (request) => {
      await requestAdoption(services, actorOf(request), request.params.id, request.body.version)
      return show(request, request.params.id)
    })
  }
