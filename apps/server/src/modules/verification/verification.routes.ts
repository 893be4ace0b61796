import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/verification/endpoints.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { verifyDocument } from './verify-document.ts'

export const verificationRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) =>
    serve(
      app,
      calls.verifyDocument,
      async (request) => ({ data: await verifyDocument(services, request.params.code, languageOfRequest(request)) }),
      { rateLimit: { max: 60, timeWindow: '1 minute' } },
    )
