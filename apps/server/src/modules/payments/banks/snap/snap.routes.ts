import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/banks/snap/endpoints.ts'
import { answerFailuresAs } from '#server/modules/payments/banks/answer-failures.ts'
import { endReport, keepReport, receiveReport } from '#server/modules/payments/banks/receive-report.ts'
import { reportIn } from '#server/modules/payments/banks/report-in.ts'
import { countGenuineCall, countUnsignedCall, refuseReport } from '#server/modules/payments/providers/call-limits.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import type { ReportAnswer } from '#server/modules/payments/providers/provider.ts'
import { answerToken, refuseUnsigned } from '#server/modules/payments/providers/snap/authenticate.ts'
import {
  answerOf,
  services as numbers,
  type SnapCase,
  type SnapService,
} from '#server/modules/payments/providers/snap/codes.ts'
import { jakartaTime } from '#server/modules/payments/providers/snap/signature.ts'
import type { SnapBank } from '#server/modules/payments/providers/snap/snap-bank.ts'
import { notFound } from '#server/platform/errors.ts'
import { keepBytes } from '#server/platform/http/raw-body.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { answerInquiry } from './answer-inquiry.ts'

const options = { raw: true, bodyLimit: 64 * 1024 } as const

const serviceOfPath: Record<string, SnapService> = {
  [calls.askToken.path]: numbers.token,
  [calls.inquireNumber.path]: numbers.inquiry,
  [calls.reportPayment.path]: numbers.payment,
}

const caseOfStatus: Record<number, SnapCase> = { 400: 'badRequest', 404: 'partner', 413: 'tooLarge', 429: 'tooMany' }

/** The response to a call that reached no service: the status of the failure, in the standard's shape. */
function answerFailure(url: string, status: number): ReportAnswer {
  const [, service = numbers.payment] = Object.entries(serviceOfPath).find(([path]) => url.endsWith(path)) ?? []
  const known = caseOfStatus[status]
  if (known) return answerOf(service, known)
  if (status === 500) return answerOf(service, 'general')
  const words = status >= 500 ? 'Service Unavailable' : 'Bad Request'
  return { status, body: { responseCode: `${status}${service}00`, responseMessage: words } }
}

/** Routes that a SNAP bank calls. Bodies stay raw bytes, because signatures cover them. */
export const snapRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    keepBytes(app)
    const send = (reply: FastifyReply, { status, body }: ReportAnswer) =>
      reply.code(status).header('x-timestamp', jakartaTime(services.clock.now())).send(body)
    answerFailuresAs(app, (request, reply, status) =>
      send(reply, answerFailure(request.routeOptions.url ?? '', status)),
    )

    async function getBank(code: string) {
      const provider = await findProvider(services, code)
      if (!provider || !('snap' in provider)) throw notFound('provider')
      return provider as SnapBank
    }

    serve(
      app,
      calls.askToken,
      async (request, reply) => {
        const { snap } = await getBank(request.params.code)
        const report = reportIn(request)
        const answer = answerToken(services, snap, report)
        // Counted per bank, not per address, because all banks may have the same address behind a proxy.
        if (answer.status === 200) countGenuineCall(services, snap.code)
        else countUnsignedCall(services, snap.code, report.network)
        return send(reply, answer)
      },
      options,
    )
    serve(
      app,
      calls.inquireNumber,
      async (request, reply) => {
        const { snap } = await getBank(request.params.code)
        const report = reportIn(request)
        const unsigned = refuseUnsigned(services, snap, report, numbers.inquiry)
        if (unsigned) {
          await refuseReport(services, snap.code, report, unsigned.kind)
          return send(reply, unsigned.answer)
        }
        const id = await keepReport(services, snap.code, report)
        const { answer, ...ended } = await answerInquiry(services, snap, report).catch((error) => {
          services.log.error({ err: error, bankReportId: id }, 'a bank got no answer about a number')
          return { outcome: 'failed', answer: answerOf(numbers.inquiry, 'general') }
        })
        await endReport(services, id, ended)
        return send(reply, answer)
      },
      options,
    )
    serve(
      app,
      calls.reportPayment,
      async (request, reply) => {
        const { code } = await getBank(request.params.code)
        return send(reply, await receiveReport(services, code, reportIn(request)))
      },
      options,
    )
  }
