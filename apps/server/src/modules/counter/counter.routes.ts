import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/counter/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { drawSheet } from './counter-sheet.ts'
import { registerAtCounter } from './register-at-counter.ts'

export const counterRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(
      app,
      calls.registerAtCounter,
      async (request) => ({ data: { id: await registerAtCounter(services, actorOf(request), request.body) } }),
      { status: 201 },
    )
    serve(
      app,
      calls.downloadSheet,
      async (request, reply) => {
        const { name, bytes } = await drawSheet(services, actorOf(request), request.params.id, request.query.language)
        return sendPdf(reply, name, bytes)
      },
      { raw: true },
    )
  }
