import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/snap-endpoints.ts'
import { notFound } from '#server/platform/errors.ts'
import { keepBytes } from '#server/platform/raw-body.ts'
import { serve } from '#server/platform/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { endReport, keepReport, receiveReport } from '../../receive-report.ts'
import { answerFailuresAs } from '../answer-failures.ts'
import { countGenuineCall, countUnsignedCall, refuseReport } from '../call-limits.ts'
import { findProvider } from '../index.ts'
import type { ReportAnswer } from '../provider.ts'
import { reportIn } from '../report-in.ts'
import { answerInquiry } from './answer-inquiry.ts'
import { answerToken, refuseUnsigned } from './authenticate.ts'
import { answerOf, services as numbers, type SnapCase, type SnapService } from './codes.ts'
import { jakartaTime } from './signature.ts'
import type { SnapBank } from './snap-bank.ts'

const options = { raw: true, bodyLimit: 64 * 1024 } as const

const serviceOfPath: Record<string, SnapService> = {
  [calls.askToken.path]: numbers.token,
  [calls.inquireNumber.path]: numbers.inquiry,
  [calls.reportPayment.path]: numbers.payment,
}

const caseOfStatus: Record<number, SnapCase> = { 400: 'badRequest', 404: 'partner', 413: 'tooLarge', 429: 'tooMany' }

/** What a bank hears where its call reached none of its services: the status of the failure, in the standard's shape. */
function answerFailure(url: string, status: number): ReportAnswer {
  const path = Object.keys(serviceOfPath).find((one) => url.endsWith(one))
  const service = path ? serviceOfPath[path]! : numbers.payment
  const known = caseOfStatus[status]
  if (known) return answerOf(service, known)
  if (status === 500) return answerOf(service, 'general')
  const words = status >= 500 ? 'Service Unavailable' : 'Bad Request'
  return { status, body: { responseCode: `${status}${service}00`, responseMessage: words } }
}

/** What a bank calls at ours. Its bodies stay the bytes that came: a signature covers them. */
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
        // Counted by who signed, not by where it came from: behind a proxy every bank may have one address.
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
