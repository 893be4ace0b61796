import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/proofs/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { receiveFile } from '#server/platform/files/stored-files.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { matchProof, refuseProof, reopenProof } from './answer-proof.ts'
import { listOwnProofs, readProof, serveProofs } from './read-proofs.ts'
import { sendProof, transferProofRules } from './send-proof.ts'

/** Proofs of transfers: sent by applicants, answered by the finance office. */
export const transferProofRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(
      app,
      calls.uploadTransferProof,
      async (request) => {
        const { id, name } = await receiveFile(services, request, transferProofRules)
        return { data: { id, name } }
      },
      { rateLimit: { max: 20, timeWindow: '10 minutes', keyOf: (request) => actorOf(request).accountId } },
    )
    serve(app, calls.sendTransferProof, async (request) => ({
      data: await sendProof(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.listOwnProofs, async (request) => ({
      data: await listOwnProofs(services, actorOf(request), request.params.id),
    }))
    serveProofs(app, services)
    serve(app, calls.readProof, async (request) => ({
      data: await readProof(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.matchProof, async (request) => ({
      data: await matchProof(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.refuseProof, async (request) => ({
      data: await refuseProof(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.reopenProof, async (request) => ({
      data: await reopenProof(services, actorOf(request), request.params.id, request.body.version),
    }))
  }
