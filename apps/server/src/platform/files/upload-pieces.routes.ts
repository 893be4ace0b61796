import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#domain/uploads/endpoints.ts'
import { pieceBytes } from '#domain/uploads/pieces.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { bytesOf, keepBytes } from '#server/platform/http/raw-body.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { addPiece, beginUpload, findUpload, type UnfinishedUpload } from './upload-pieces.ts'

/** A whole file of 50 MB is 191 pieces. */
const limit = (max: number) => ({
  rateLimit: { max, timeWindow: '1 minute', keyOf: (request: FastifyRequest) => actorOf(request).accountId },
})

const answer = ({ id, bytes, received }: UnfinishedUpload) => ({ data: { id, bytes, received } })

export const uploadPieceRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(
      app,
      endpoints.beginUpload,
      async (request) => answer(await beginUpload(services, actorOf(request), request.body)),
      limit(60),
    )
    serve(
      app,
      endpoints.readUpload,
      async (request) => answer(await findUpload(services, actorOf(request), request.params.id)),
      limit(300),
    )
    await app.register(async (inner) => {
      keepBytes(inner)
      serve(
        inner,
        endpoints.sendPiece,
        async (request) => {
          const { id } = request.params
          const { from } = request.query
          return answer(await addPiece(services, actorOf(request), { id, from, piece: bytesOf(request) }))
        },
        { bodyLimit: pieceBytes, ...limit(600) },
      )
    })
  }
