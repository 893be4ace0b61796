import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/desk-endpoints.ts'
import { readApprovalLimits, writeApprovalLimits } from '#server/modules/payments/approvals/approval-limits.ts'
import { approveMany } from '#server/modules/payments/approvals/approve-many.ts'
import { decideApproval, renewApproval, withdrawApproval } from '#server/modules/payments/approvals/decide-approval.ts'
import { serveApprovals } from '#server/modules/payments/approvals/list-approvals.ts'
import { readApprovalState } from '#server/modules/payments/approvals/read-approval-state.ts'
import { findOwedBills, serveBills } from '#server/modules/payments/bills/bill-list.ts'
import { askException } from '#server/modules/payments/bills/exceptions/bill-exceptions.ts'
import { manualDiscounts } from '#server/modules/payments/bills/exceptions/discount-by-hand.ts'
import { findSibling } from '#server/modules/payments/bills/prices/sibling.ts'
import { previewReminders, remindPayers } from '#server/modules/payments/bills/remind-payers.ts'
import { readStatement, statementPdf } from '#server/modules/payments/bills/statement.ts'
import { enterPayment, proofRules } from '#server/modules/payments/money/manual-payment.ts'
import { readPayment } from '#server/modules/payments/money/payment-detail.ts'
import { askRefund, payOutRefund, readRefundable } from '#server/modules/payments/money/refunds.ts'
import { askReversal } from '#server/modules/payments/money/reversal.ts'
import { allocatePayment, serveWaiting, takeWaiting } from '#server/modules/payments/money/waiting-money.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { claimFile, receiveFile } from '#server/platform/files/files.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

/** The finance office: what banks do not report, exceptions, and who decides about them. */
export const deskRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services

    serveBills(app, services)
    serve(app, calls.manualDiscounts, async (request) => ({ data: await manualDiscounts(services, request.query) }))
    serve(app, calls.findOwedBills, async (request) => ({
      data: await findOwedBills(services, actorOf(request), request.query),
    }))
    serve(app, calls.findSibling, async (request) => ({
      data: await findSibling(db, actorOf(request), request.params.id, request.query.number),
    }))
    serve(app, calls.askException, async (request) => ({
      data: await askException(services, actorOf(request), request.params.id, request.body),
    }))

    serve(app, calls.previewReminders, async (request) => ({
      data: await previewReminders(services, actorOf(request), request.body.ids, languageOfRequest(request)),
    }))
    serve(app, calls.remindPayers, async (request) => ({
      data: await remindPayers(services, actorOf(request), request.body.ids),
    }))

    serve(app, calls.readPayment, async (request) => ({
      data: await readPayment(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.uploadProof, async (request) => {
      const file = await receiveFile(services, request, proofRules)
      await claimFile(services.db, file)
      return { data: { id: file.id, name: file.name } }
    })
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

    serveApprovals(app, services)
    serve(app, calls.readApprovalState, async (request) => ({
      data: await readApprovalState(services, actorOf(request), request.params.id, languageOfRequest(request)),
    }))
    serve(app, calls.decideApproval, async (request) => ({
      data: await decideApproval(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.approveMany, async (request) => ({
      data: await approveMany(services, actorOf(request), request.body, languageOfRequest(request)),
    }))
    serve(app, calls.withdrawApproval, async (request) => ({
      data: await withdrawApproval(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.renewApproval, async (request) => ({
      data: await renewApproval(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.readApprovalLimits, async (request) => {
      requireWholeView(actorOf(request), 'settings_need_whole_view')
      return { data: await readApprovalLimits(db) }
    })
    serve(app, calls.writeApprovalLimits, async (request) => ({
      data: await writeApprovalLimits(
        services,
        requireWholeView(actorOf(request), 'settings_need_whole_view'),
        request.body,
      ),
    }))

    serve(app, calls.readStatement, async (request) => ({
      data: await readStatement(services, actorOf(request), request.params.id),
    }))
    serve(
      app,
      calls.downloadStatement,
      async (request, reply) => {
        const actor = actorOf(request)
        const { code, bytes } = await statementPdf(
          services,
          actor,
          request.params.id,
          request.query.language ?? actor.language,
        )
        return sendPdf(reply, code, bytes)
      },
      { raw: true },
    )
  }
