import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/report-mail/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { serveReportMailRuns, serveReportMails } from './list-report-mails.ts'
import { checkQuestion, wordsOfMail } from './mail-question.ts'
import { findRecipients } from './recipients.ts'
import { createMail, deleteMail, getMail, type OwnMail, pauseMail, saveMail, sendMailNow } from './report-mails.ts'

/**
 * Scheduled mails of reports. Accounts see and change only their own, and may add one for each report their role may
 * open.
 */
export const reportMailRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    /** A mail with a description of what it shows. */
    const inWords = async (request: FastifyRequest, { columns, ...mail }: OwnMail) => ({
      data: {
        ...mail,
        ...(await wordsOfMail(services.db, actorOf(request), { ...mail, columns }, languageOfRequest(request))),
      },
    })

    serve(app, calls.readMailWords, async (request) => {
      const { columns, ...asked } = request.query
      const question = { ...asked, columns: columns.split(','), lastDays: null }
      await checkQuestion(services, actorOf(request), question)
      return { data: await wordsOfMail(services.db, actorOf(request), question, languageOfRequest(request)) }
    })
    serve(app, calls.findMailRecipients, async (request) => ({
      data: await findRecipients(services.db, actorOf(request), request.query),
    }))
    serveReportMails(app, services)
    serveReportMailRuns(app, services)
    serve(
      app,
      calls.createReportMail,
      async (request) => inWords(request, await createMail(services, actorOf(request), request.body)),
      { status: 201 },
    )
    serve(app, calls.readReportMail, async (request) =>
      inWords(request, await getMail(services.db, actorOf(request), request.params.id)),
    )
    serve(app, calls.saveReportMail, async (request) =>
      inWords(request, await saveMail(services, actorOf(request), request.params.id, request.body)),
    )
    serve(app, calls.pauseReportMail, async (request) =>
      inWords(request, await pauseMail(services, actorOf(request), request.params.id, request.body)),
    )
    serve(
      app,
      calls.sendReportMail,
      async (request) => ({ data: await sendMailNow(services, actorOf(request), request.params.id) }),
      { rateLimit: { max: 10, timeWindow: '1 hour', keyOf: (request) => actorOf(request).accountId } },
    )
    serve(app, calls.deleteReportMail, async (request) => ({
      data: await deleteMail(services, actorOf(request), request.params.id),
    }))
  }
