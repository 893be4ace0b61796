import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type BulkAction, bulkEndpointsOf, endpointsOf } from '#entities/endpoints.ts'
import { entities } from '#entities/index.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { writingOf } from '#server/resource/routes.ts'
import { getRow } from '#server/resource/store.ts'
import { previewBulk, runBulk } from './bulk.ts'
import { historyOf } from './history.ts'
import { serveFiles } from './row-files.ts'

type BulkCalls = ReturnType<typeof bulkEndpointsOf>[BulkAction]

/** Routes of master data beyond single rows: bulk actions, files and history. */
export const masterDataRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services
    for (const entity of entities) {
      if (Object.values(entity.fields).some((field) => field.kind === 'file')) serveFiles(app, services, entity)
      serve(app, endpointsOf(entity).history, async (request) => {
        const { id } = request.params
        await getRow(db, entity, { id, actor: actorOf(request) })
        return { data: await historyOf(db, entity, id) }
      })
      for (const [action, { preview, run }] of Object.entries(bulkEndpointsOf(entity)) as [BulkAction, BulkCalls][]) {
        serve(app, preview, async (request) => ({
          data: await previewBulk(db, entity, action, request.body.ids, writingOf(request, clock)),
        }))
        serve(app, run, async (request) => ({
          data: await runBulk(db, entity, action, request.body.ids, writingOf(request, clock)),
        }))
      }
    }
  }
