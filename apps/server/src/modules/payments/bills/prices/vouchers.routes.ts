import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/bills/vouchers/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { enterVoucher, readVouchers, removeVoucher } from './vouchers.ts'

/** Vouchers of a registration. */
export const voucherRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const vouchersOf = async (request: FastifyRequest, id: string) => ({
      data: await readVouchers(services.db, actorOf(request), id, languageOfRequest(request)),
    })
    serve(app, calls.listVouchers, (request) => vouchersOf(request, request.params.id))
    serve(
      app,
      calls.enterVoucher,
      async (request) => {
        const { params, body } = request
        await enterVoucher(services, actorOf(request), params.id, body.code, languageOfRequest(request))
        return vouchersOf(request, request.params.id)
      },
      // Codes are short; the limit keeps callers from trying them all.
      { rateLimit: { max: 10, timeWindow: '1 minute', keyOf: (request) => request.actor?.accountId ?? '' } },
    )
    serve(app, calls.removeVoucher, async (request) => {
      await removeVoucher(services, actorOf(request), request.params.id, request.params.useId)
      return vouchersOf(request, request.params.id)
    })
  }
