import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/bills/endpoints.ts'
import { banksOf, choicesAmong } from '#server/modules/payments/providers/index.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { findOwedBills, serveBills } from './bill-list.ts'
import { accountView, listBills } from './list-bills.ts'
import { requestVirtualAccount } from './numbers/request-virtual-account.ts'
import { quoteTuition } from './prices/prices.ts'
import { remainingOn } from './remaining.ts'
import { previewReminders, remindPayers } from './remind-payers.ts'
import { seePayments } from './seen-payments.ts'
import { readStatement, statementPdf } from './statement.ts'
import { getBill, getBilledRegistration, resultIsVisible } from './visible-bills.ts'

/** Bills of a registration, for its applicant and the finance office. */
export const billRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services

    serve(app, calls.listRegistrationBills, async (request) => {
      const actor = actorOf(request)
      const registration = await getBilledRegistration(db, actor, request.params.id)
      const { id, code, applicantName } = registration
      const banks = choicesAmong(await banksOf(services))
      return {
        data: {
          registration: { id, code, applicantName },
          bills: await listBills(services, db, actor, registration),
          banks,
        },
      }
    })

    serve(app, calls.readBill, async (request) => {
      const actor = actorOf(request)
      const { registrationId } = await getBill(db, actor, request.params.id)
      const registration = await getBilledRegistration(db, actor, registrationId)
      const { id, code, applicantName } = registration
      const bills = await listBills(services, db, actor, registration, { withUnpaidCancelled: true })
      const bill = bills.find((one) => one.id === request.params.id)
      if (!bill) throw notFound('bill')
      return { data: { registration: { id, code, applicantName }, bill } }
    })

    serve(app, calls.seePayments, async (request) => {
      await seePayments(services, actorOf(request), request.params.id, request.body.paymentIds)
      return { data: { id: request.params.id } }
    })

    serve(
      app,
      calls.requestVirtualAccount,
      async (request) => {
        const actor = actorOf(request)
        const account = await requestVirtualAccount(services, actor, request.params.id, request.body)
        const bill = await getBill(db, actor, account.billId)
        const parts = await db
          .selectFrom('installments')
          .select(['id', 'amount', 'paid'])
          .where('billId', '=', bill.id)
          .execute()
        return { data: accountView(services, account, remainingOn(account, bill, parts)) }
      },
      { rateLimit: { max: 60, timeWindow: '1 minute', keyOf: (request) => request.actor?.accountId ?? '' } },
    )

    serve(app, calls.quoteReRegistration, async (request) => {
      const actor = actorOf(request)
      const registration = await getBilledRegistration(db, actor, request.params.id)
      const now = services.clock.now()
      const { acceptedProgrammeId, waveId, classProgrammeId, trackId } = registration
      // Before the result is published, the response must equal that for an undecided registration.
      if (!acceptedProgrammeId || !(await resultIsVisible(db, actor, registration, now)))
        throw conflict('wrong_status', { status: 'verified' })
      const question = { programmeId: acceptedProgrammeId, waveId, classProgrammeId, trackId }
      const { installmentPlanId } = request.query
      return { data: await quoteTuition(db, now, question, { installmentPlanId, registrationId: registration.id }) }
    })

    serveBills(app, services)
    serve(app, calls.findOwedBills, async (request) => ({
      data: await findOwedBills(services, actorOf(request), request.query),
    }))
    serve(app, calls.previewReminders, async (request) => ({
      data: await previewReminders(services, actorOf(request), request.body.ids, languageOfRequest(request)),
    }))
    serve(app, calls.remindPayers, async (request) => ({
      data: await remindPayers(services, actorOf(request), request.body.ids),
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
