import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/money/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { settleAlert } from './alerts.ts'
import { enterPayment } from './enter/manual-payment.ts'
import { askRefund, payOutRefund, readRefundable } from './give-back/refunds.ts'
import { askReversal } from './give-back/reversal.ts'
import { servePayments } from './list-payments.ts'
import { readPayment } from './payment-detail.ts'
import { receiptPdf, verifyReceipt } from './receipts.ts'
import { askHeldAmount, listHeldAmounts } from './waiting/held-amount.ts'
import { allocatePayment, serveWaiting, takeWaiting } from './waiting/waiting-money.ts'

/** Payments, their receipts and refunds, and money that waits or is held. */
export const moneyRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    servePayments(app, services)
    serve(app, calls.readPayment, async (request) => ({
      data: await readPayment(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.enterPayment, async (request) => ({
      data: await enterPayment(services, actorOf(request), request.body),
    }))
    serve(app, calls.askReversal, async (request) => ({
      data: await askReversal(services, actorOf(request), request.params.id, request.body.reason),
    }))
    serve(app, calls.readRefundable, async (request) => ({
      data: await readRefundable(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.askRefund, async (request) => ({
      data: await askRefund(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.payOutRefund, async (request) => ({
      data: await payOutRefund(services, actorOf(request), request.params.id, request.body.reference),
    }))

    serveWaiting(app, services)
    serve(app, calls.takeWaiting, async (request) => ({
      data: await takeWaiting(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.allocatePayment, async (request) => ({
      data: await allocatePayment(services, actorOf(request), request.params.id, request.body),
    }))

    serve(app, calls.listHeldAmounts, async (request) => ({
      data: await listHeldAmounts(services, actorOf(request)),
    }))
    serve(app, calls.askHeldAmount, async (request) => ({
      data: await askHeldAmount(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.settlePaymentAlert, async (request) => {
      const { id } = request.params
      await settleAlert(services, actorOf(request), id, request.body.note)
      return { data: { id } }
    })

    serve(
      app,
      calls.downloadReceipt,
      async (request, reply) => {
        const actor = actorOf(request)
        const { number, bytes } = await receiptPdf(
          services,
          actor,
          request.params.id,
          request.query.language ?? actor.language,
        )
        return sendPdf(reply, number, bytes)
      },
      { raw: true },
    )

    serve(app, calls.verifyReceipt, async (request) => ({ data: await verifyReceipt(services, request.params.code) }), {
      rateLimit: { max: 60, timeWindow: '1 minute' },
    })
  }
