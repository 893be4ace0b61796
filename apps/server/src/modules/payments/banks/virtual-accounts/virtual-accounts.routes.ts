import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import {
  askAboutVirtualAccount,
  cancelVirtualAccount,
  createVirtualAccount,
  reissueVirtualAccount,
} from './change-virtual-account.ts'
import { findPayableBills, listBanks } from './find-payable-bills.ts'
import { serveVirtualAccounts } from './list-virtual-accounts.ts'
import { showVirtualAccount } from './show-virtual-account.ts'

const asking = {
  max: 30,
  timeWindow: '1 minute',
  keyOf: (request: FastifyRequest) => request.actor?.accountId ?? '',
}

/** /transaksi-va: all numbers issued, and what staff can do with them. */
export const virtualAccountRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const show = (request: FastifyRequest, id: string) =>
      showVirtualAccount(services, actorOf(request), id, languageOfRequest(request))

    serveVirtualAccounts(app, services)
    serve(app, calls.listBanks, async () => ({ data: await listBanks(services) }))
    serve(app, calls.findPayableBills, async (request) => ({
      data: await findPayableBills(services, actorOf(request), request.query.q),
    }))
    serve(app, calls.readVirtualAccount, async (request) => ({ data: await show(request, request.params.id) }))
    serve(
      app,
      calls.createVirtualAccount,
      async (request) => {
        const { id } = await createVirtualAccount(services, actorOf(request), request.body)
        return { data: await show(request, id) }
      },
      { status: 201, rateLimit: asking },
    )
    serve(
      app,
      calls.reissueVirtualAccount,
      async (request) => {
        const { id } = await reissueVirtualAccount(services, actorOf(request), request.params.id, request.body)
        return { data: await show(request, id) }
      },
      { rateLimit: asking },
    )
    serve(app, calls.cancelVirtualAccount, async (request) => {
      const { id } = request.params
      await cancelVirtualAccount(services, actorOf(request), id, request.body.reason)
      return { data: await show(request, id) }
    })
    serve(
      app,
      calls.askVirtualAccount,
      async (request) => {
        const { id } = request.params
        const found = await askAboutVirtualAccount(services, actorOf(request), id)
        return { data: await show(request, id), meta: { found } }
      },
      { rateLimit: asking },
    )
  }
