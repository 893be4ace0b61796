import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/letters/batch-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { cancelBatch, continueBatch, downloadChunk, serveLetterBatches, showBatch } from './batches.ts'
import { previewBatch, startBatch } from './start-batch.ts'

/** Batches of letters: preview, start, progress, cancel and files. */
export const letterBatchRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveLetterBatches(app, services)
    serve(app, calls.previewLetterBatch, async (request) => ({
      data: await previewBatch(services, actorOf(request), languageOfRequest(request), request.body),
    }))
    serve(app, calls.startLetterBatch, async (request) => {
      const actor = actorOf(request)
      const id = await startBatch(services, actor, request.body)
      return { data: await showBatch(services, actor, id, languageOfRequest(request)) }
    })
    serve(app, calls.readLetterBatch, async (request) => ({
      data: await showBatch(services, actorOf(request), request.params.id, languageOfRequest(request)),
    }))
    serve(app, calls.cancelLetterBatch, async (request) => {
      const actor = actorOf(request)
      await cancelBatch(services, actor, request.params.id)
      return { data: await showBatch(services, actor, request.params.id, languageOfRequest(request)) }
    })
    serve(app, calls.continueLetterBatch, async (request) => {
      const actor = actorOf(request)
      await continueBatch(services, actor, request.params.id)
      return { data: await showBatch(services, actor, request.params.id, languageOfRequest(request)) }
    })
    serve(
      app,
      calls.downloadLetterBatch,
      async (request, reply) => {
        const { id, chunk } = request.params
        const { name, bytes } = await downloadChunk(services, actorOf(request), id, chunk)
        return sendPdf(reply, name, bytes)
      },
      { raw: true },
    )
  }
