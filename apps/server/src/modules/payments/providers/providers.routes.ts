import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/providers/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { providersOf } from './index.ts'
import { checkProvider } from './settings/check-provider.ts'
import { serveProviders, showProvider } from './settings/find-providers.ts'
import { checkRequestedProvider, pendingConnectionsOf } from './settings/requested-connections.ts'
import { createProvider, makeInboundSecret, makeKeyPair, updateProvider } from './settings/save-provider.ts'

const readerOf = (request: FastifyRequest) => requireWholeView(actorOf(request), 'settings_need_whole_view')

/** /settings/providers: connections to banks and gateways. */
export const providerRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    // Lists read the names of banks synchronously from memory, so the server loads the banks before it starts.
    app.addHook('onReady', async () => {
      await providersOf(services).catch((error) =>
        services.log.warn({ err: error }, 'names of banks are not known yet'),
      )
    })

    const rateLimit = {
      max: 20,
      timeWindow: '1 minute',
      keyOf: (request: { actor: { accountId: string } | null }) => request.actor?.accountId ?? '',
    }
    serveProviders(app, services)
    serve(app, calls.listNewProviders, async (request) => {
      readerOf(request)
      return { data: await pendingConnectionsOf(services, null) }
    })
    serve(app, calls.readProvider, async (request) => {
      readerOf(request)
      return { data: await showProvider(services, request.params.id) }
    })
    serve(app, calls.createProvider, async (request) => ({
      data: await createProvider(services, readerOf(request), request.body),
    }))
    serve(app, calls.updateProvider, async (request) => ({
      data: await updateProvider(services, readerOf(request), request.params.id, request.body),
    }))
    serve(
      app,
      calls.checkProvider,
      async (request) => ({ data: await checkProvider(services, readerOf(request), request.params.id) }),
      { rateLimit },
    )
    serve(
      app,
      calls.checkRequestedProvider,
      async (request) => ({
        data: await checkRequestedProvider(services, readerOf(request), request.params.id),
      }),
      { rateLimit },
    )
    serve(
      app,
      calls.makeInboundSecret,
      async (request) => ({
        data: await makeInboundSecret(services, readerOf(request), request.params.id),
      }),
      { rateLimit, config: { secretAnswer: true } },
    )
    serve(
      app,
      calls.makeKeyPair,
      async (request) => ({ data: await makeKeyPair(services, readerOf(request), request.params.id) }),
      { rateLimit },
    )
  }
