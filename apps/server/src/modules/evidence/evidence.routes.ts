import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { downloadEvidence } from '#domain/evidence/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { sendZip } from '#server/platform/files/send-zip.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { zipEvidence } from './zip-evidence.ts'

export const evidenceRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) =>
    serve(
      app,
      downloadEvidence,
      async (request, reply) => {
        const { language = languageOfRequest(request) } = request.query
        return sendZip(reply, await zipEvidence(services, actorOf(request), request.params.id, language))
      },
      { raw: true },
    )
