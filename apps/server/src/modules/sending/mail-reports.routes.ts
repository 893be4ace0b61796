import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { mailReportsBody, reportMails } from '#domain/campaigns/address-endpoints.ts'
import { bearerToken } from '#server/platform/access/authentication.ts'
import { AppError, notFound, unauthenticated } from '#server/platform/errors.ts'
import { bytesOf, keepBytes } from '#server/platform/http/raw-body.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'
import { takeMailReports } from './mail-reports.ts'

/** /mail-reports, called by the mail service. */
export const mailReportRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    keepBytes(app)
    serve(app, reportMails, async (request) => {
      const secret = services.config.mailReportSecret
      if (!secret) throw notFound('page')
      if (!sameText(bearerToken(request) ?? '', secret)) throw unauthenticated()
      const body = mailReportsBody.safeParse(jsonOf(bytesOf(request)))
      if (!body.success) throw new AppError(400, 'malformed_request')
      return { data: await takeMailReports(services, body.data.reports) }
    })
  }

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
