import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/whatsapp/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { bytesOf, keepBytes } from '#server/platform/http/raw-body.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { checkConnection, renewVerifyToken, testConnection } from './connections/check-connection.ts'
import { connectDevice, disconnectDevice } from './connections/connect-device.ts'
import { serveConnections, showConnection } from './connections/find-connections.ts'
import { createConnection, removeConnection, updateConnection } from './connections/save-connection.ts'
import { deviceKeeperOf, tendDevices } from './device/device-keeper.ts'
import { serveDeliveries } from './list-deliveries.ts'
import { answerChallenge, takeNotice } from './webhook.ts'

const callLimit = { max: 20, timeWindow: '1 minute' }

/** /settings/whatsapp, and Meta's webhook. */
export const whatsappRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { config, log } = services
    // Runs once the server listens, so that a slow phone does not delay the start.
    if (config.runJobs)
      app.addHook('onListen', async () => {
        tendDevices(services).catch((error) => log.warn({ err: error }, 'WhatsApp phones were not looked after'))
      })
    app.addHook('onClose', () => deviceKeeperOf(services).stop())

    serveConnections(app, services)
    serve(app, calls.readConnection, async (request) => ({
      data: await showConnection(services, actorOf(request), request.params.id),
    }))
    serve(
      app,
      calls.createConnection,
      async (request) => ({ data: await createConnection(services, actorOf(request), request.body) }),
      { status: 201 },
    )
    serve(app, calls.updateConnection, async (request) => ({
      data: await updateConnection(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.removeConnection, async (request) => {
      await removeConnection(services, actorOf(request), request.params.id)
      return { data: { id: request.params.id } }
    })

    const rateLimit = {
      ...callLimit,
      keyOf: (request: { actor: { accountId: string } | null }) => request.actor?.accountId ?? '',
    }
    serve(
      app,
      calls.connectDevice,
      async (request) => {
        const { id } = request.params
        await connectDevice(services, actorOf(request), id, request.body.phone)
        await deviceKeeperOf(services).hurry(id)
        return { data: await showConnection(services, actorOf(request), id) }
      },
      { rateLimit },
    )
    serve(app, calls.disconnectDevice, async (request) => {
      const { id } = request.params
      await disconnectDevice(services, actorOf(request), id, request.body.logOut)
      await deviceKeeperOf(services).hurry(id)
      return { data: await showConnection(services, actorOf(request), id) }
    })
    serve(
      app,
      calls.checkConnection,
      async (request) => ({ data: await checkConnection(services, actorOf(request), request.params.id) }),
      { rateLimit },
    )
    serve(
      app,
      calls.renewVerifyToken,
      async (request) => ({ data: await renewVerifyToken(services, actorOf(request), request.params.id) }),
      { config: { secretAnswer: true } },
    )
    serve(
      app,
      calls.testConnection,
      async (request) => ({
        data: await testConnection(services, actorOf(request), request.params.id, request.body.phone),
      }),
      { rateLimit },
    )
    serveDeliveries(app, services)
    serve(
      app,
      calls.confirmWebhook,
      async (request, reply) =>
        reply.type('text/plain').send(await answerChallenge(services, request.params.id, request.query)),
      { raw: true, rateLimit: callLimit },
    )
    await app.register(noticeRoutes(services))
  }

/** Registered separately, because the signature covers the bytes: no parser may run before the check. */
const noticeRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    keepBytes(app)
    serve(
      app,
      calls.receiveWebhook,
      async (request, reply) => {
        const body = bytesOf(request)
        await takeNotice(services, request.params.id, body, request.headers['x-hub-signature-256'])
        return reply.code(200).send({ received: true })
      },
      { raw: true, bodyLimit: 3_145_728 },
    )
  }
