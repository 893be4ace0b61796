import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as voucherCalls from '#domain/payments/bills/voucher-endpoints.ts'
import * as calls from '#domain/payments/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { keepBytes } from '#server/platform/http/raw-body.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { answerFailuresAs } from './banks/answer-failures.ts'
import { askForReader } from './banks/ask-banks.job.ts'
import { pay, readAccount, repeat } from './banks/demo-counter.ts'
import { receiveReport } from './banks/receive-report.ts'
import { reportIn } from './banks/report-in.ts'
import { snapRoutes } from './banks/snap/snap.routes.ts'
import { virtualAccountDeskRoutes } from './banks/virtual-accounts/virtual-account-desk.routes.ts'
import { accountView, listBills, remainingOn } from './bills/list-bills.ts'
import { requestVirtualAccount } from './bills/numbers/request-virtual-account.ts'
import { quoteTuition } from './bills/prices/prices.ts'
import { enterVoucher, readVouchers, removeVoucher } from './bills/prices/vouchers.ts'
import { seePayments } from './bills/seen-payments.ts'
import { getBill, getRegistration, resultIsVisible } from './bills/visible-bills.ts'
import { servePayments } from './money/list-payments.ts'
import { receiptPdf, verifyReceipt } from './money/receipts.ts'
import { gatewayFailure } from './providers/gateway-answers.ts'
import { banksOf, providersOf } from './providers/index.ts'
import { providerSettingsRoutes } from './providers/settings/provider-settings.routes.ts'

export const paymentsRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services
    // Names of banks stand in lists that are made without waiting.
    app.addHook('onReady', async () => {
      await providersOf(services).catch((error) =>
        services.log.warn({ err: error }, 'names of banks are not known yet'),
      )
    })

    serve(app, calls.listRegistrationBills, async (request) => {
      const actor = actorOf(request)
      const registration = await getRegistration(db, actor, request.params.id)
      const { id, code, applicantName } = registration
      const banks = (await banksOf(services)).map(({ code, name, provider }) => ({ code, name, demo: provider.demo }))
      return {
        data: {
          registration: { id, code, applicantName },
          bills: await listBills(services, db, actor, registration),
          banks,
        },
      }
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

    serve(
      app,
      calls.checkVirtualAccount,
      async (request) => {
        const account = await db
          .selectFrom('virtualAccounts')
          .selectAll()
          .where('id', '=', request.params.id)
          .executeTakeFirst()
        if (!account) throw notFound('virtual account')
        await getBill(db, actorOf(request), account.billId)
        return { data: { found: await askForReader(services, account) } }
      },
      { rateLimit: { max: 20, timeWindow: '1 minute', keyOf: (request) => request.actor?.accountId ?? '' } },
    )

    serve(app, calls.quoteReRegistration, async (request) => {
      const actor = actorOf(request)
      const registration = await getRegistration(db, actor, request.params.id)
      const now = services.clock.now()
      const { acceptedProgrammeId, waveId, classProgrammeId, trackId } = registration
      // Before the result is published the answer must be the one of a registration nobody has decided on.
      if (!acceptedProgrammeId || !(await resultIsVisible(db, actor, registration, now)))
        throw conflict('wrong_status', { status: 'verified' })
      const question = { programmeId: acceptedProgrammeId, waveId, classProgrammeId, trackId }
      const { installmentPlanId } = request.query
      return { data: await quoteTuition(db, now, question, { installmentPlanId, registrationId: registration.id }) }
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

    const vouchersOf = async (request: FastifyRequest, id: string) => ({
      data: await readVouchers(db, actorOf(request), id, languageOfRequest(request)),
    })
    serve(app, voucherCalls.listVouchers, (request) => vouchersOf(request, request.params.id))
    serve(
      app,
      voucherCalls.enterVoucher,
      async (request) => {
        const { params, body } = request
        await enterVoucher(services, actorOf(request), params.id, body.code, languageOfRequest(request))
        return vouchersOf(request, request.params.id)
      },
      // Codes are short: nobody may try them all.
      { rateLimit: { max: 10, timeWindow: '1 minute', keyOf: (request) => request.actor?.accountId ?? '' } },
    )
    serve(app, voucherCalls.removeVoucher, async (request) => {
      await removeVoucher(services, actorOf(request), request.params.id, request.params.useId)
      return vouchersOf(request, request.params.id)
    })

    servePayments(app, services)

    if (services.config.demo) {
      serve(app, calls.readSandboxAccount, async (request) => ({
        data: await readAccount(services, request.params.number),
      }))
      serve(app, calls.paySandboxAccount, async (request) => {
        const { number } = request.params
        const { body } = request
        await readAccount(services, number)
        const answers = body.action === 'pay' ? await pay(services, number, body) : await repeat(services, number)
        return { data: { account: await readAccount(services, number), answers } }
      })
    }

    await app.register(bankReportRoutes(services))
    await app.register(snapRoutes(services))
    await app.register(providerSettingsRoutes(services))
    await app.register(virtualAccountDeskRoutes(services))
  }

/** Apart from the rest, because a signature covers the bytes: nothing may parse a report before it is checked. */
const bankReportRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    keepBytes(app)
    answerFailuresAs(app, (_request, reply, status) => reply.code(status).send(gatewayFailure(status)))

    serve(
      app,
      calls.receiveBankReport,
      async (request, reply) => {
        const answer = await receiveReport(services, request.params.provider, reportIn(request))
        return reply.code(answer.status).send(answer.body)
      },
      { raw: true, bodyLimit: 256 * 1024 },
    )
  }
