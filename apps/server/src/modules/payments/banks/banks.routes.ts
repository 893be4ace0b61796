import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/banks/endpoints.ts'
import { getBill } from '#server/modules/payments/bills/visible-bills.ts'
import { gatewayFailure } from '#server/modules/payments/providers/gateway-answers.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { notFound } from '#server/platform/errors.ts'
import { keepBytes } from '#server/platform/http/raw-body.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { answerFailuresAs } from './answer-failures.ts'
import { askForReader } from './ask-bank.ts'
import { pay, readAccount, repeat } from './demo-counter.ts'
import { receiveReport } from './receive-report.ts'
import { reportIn } from './report-in.ts'

/** Reports from banks, questions to banks, and the counter of the demo bank. */
export const bankRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services

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
  }

/** A separate plugin, because a signature covers the raw bytes: no body parser may touch a report before the check. */
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
