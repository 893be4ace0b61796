import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/snap-endpoints.ts'
import { notFound } from '#server/platform/errors.ts'
import { keepBytes } from '#server/platform/raw-body.ts'
import { serve } from '#server/platform/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { endReport, keepReport, receiveReport } from '../../receive-report.ts'
import { findProvider } from '../index.ts'
import type { ReportAnswer } from '../provider.ts'
import { reportIn } from '../report-in.ts'
import { answerInquiry } from './answer-inquiry.ts'
import { answerToken } from './authenticate.ts'
import { answerOf, services as numbers } from './codes.ts'
import { jakartaTime } from './signature.ts'
import type { SnapBank } from './snap-bank.ts'

const options = { raw: true, bodyLimit: 64 * 1024 } as const

/** What a bank calls at ours. Its bodies stay the bytes that came: a signature covers them. */
export const snapRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    keepBytes(app)
    const send = (reply: FastifyReply, { status, body }: ReportAnswer) =>
      reply.code(status).header('x-timestamp', jakartaTime(services.clock.now())).send(body)

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
        return send(reply, answerToken(services, snap, reportIn(request)))
      },
      { ...options, rateLimit: { max: 120, timeWindow: '1 minute' } },
    )
    serve(
      app,
      calls.inquireNumber,
      async (request, reply) => {
        const { snap } = await getBank(request.params.code)
        const report = reportIn(request)
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
