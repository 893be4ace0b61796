import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { maxSheetBytes } from '#domain/campaigns/campaigns.ts'
import * as calls from '#domain/campaigns/sheet-endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { receiveUpload } from '#server/platform/files/uploads.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sheetTypes } from '#server/platform/sheets/send-export.ts'
import { assignColumns, listProblems, problemsCsv, sheetAnswer } from './sheets.ts'
import { uploadSheet } from './upload-sheet.ts'

/** Routes for a campaign's spreadsheet: upload, column assignment and problems. */
export const campaignSheetRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services
    serve(
      app,
      calls.uploadSheet,
      async (request) => ({
        data: await receiveUpload(services, request, { maxBytes: maxSheetBytes }, (upload) =>
          uploadSheet(services, actorOf(request), upload),
        ),
      }),
      { status: 201 },
    )
    serve(app, calls.readSheet, async (request) => ({
      data: await sheetAnswer(db, actorOf(request), request.params.id),
    }))
    serve(app, calls.assignSheetColumns, async (request) => ({
      data: await assignColumns(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.listSheetProblems, (request) =>
      listProblems(db, actorOf(request), request.params.id, request.query),
    )
    serve(
      app,
      calls.downloadSheetProblems,
      async (request, reply) => {
        const language = languageOfRequest(request)
        const { name, content } = await problemsCsv(services, actorOf(request), request.params.id, language)
        return reply
          .type(sheetTypes.csv)
          .header('cache-control', 'no-store')
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
          .send(content)
      },
      { raw: true },
    )
  }
