import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  discardWorkbookImport,
  downloadWorkbook,
  downloadWorkbookFile,
  readWorkbookImport,
  readWorkbookUndo,
  runWorkbookImport,
  undoWorkbookImport,
  uploadWorkbook,
} from '#domain/workbook/endpoints.ts'
import { maxSheetBytes, storeSheet } from '#server/modules/transfer/imports/import-files.ts'
import { markInterrupted, sendUpload } from '#server/modules/transfer/imports/uploads.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { claimFile } from '#server/platform/files/stored-files.ts'
import { receiveUpload } from '#server/platform/files/uploads.ts'
import { asAttachment } from '#server/platform/http/as-attachment.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sheetTypes } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { makeWorkbook } from './make-workbook.ts'
import { previewUndo, undoWorkbook } from './undo-workbook.ts'
import {
  discardWorkbook,
  getWorkbookImport,
  requireRights,
  serveWorkbookImports,
  serveWorkbookProblems,
  startRun,
  startWorkbook,
  toWorkbookRecord,
} from './workbook-imports.ts'

/** Routes of the workbook with everything a university needs before it opens registration. */
export const workbookRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services
    serve(
      app,
      downloadWorkbook,
      async (request, reply) => {
        requireRights(actorOf(request), ['view'])
        const language = languageOfRequest(request)
        const { content } = request.query
        const name = sentences(language)(`workbook:fileName.${content}`)
        return asAttachment(reply, `${name}.xlsx`, sheetTypes.xlsx).send(await makeWorkbook(db, { language, content }))
      },
      { raw: true },
    )
    serve(
      app,
      uploadWorkbook,
      async (request) => {
        const actor = actorOf(request)
        requireRights(actor, ['create', 'update'])
        const { file } = await receiveUpload(services, request, { maxBytes: maxSheetBytes }, (sheet) =>
          storeSheet(services, actor, sheet, ['xlsx']),
        )
        const created = await inTransaction(services, actor, async (context) => {
          const { tx } = context
          await claimFile(tx, file)
          return startWorkbook(context, file)
        })
        return { data: toWorkbookRecord(created) }
      },
      { status: 201 },
    )
    serveWorkbookImports(app, services)
    serve(app, readWorkbookImport, async (request) => {
      await markInterrupted(services)
      return { data: toWorkbookRecord(await getWorkbookImport(db, actorOf(request), request.params.id)) }
    })
    serveWorkbookProblems(app, services)
    serve(
      app,
      downloadWorkbookFile,
      async (request, reply) => {
        return sendUpload(services, reply, await getWorkbookImport(db, actorOf(request), request.params.id))
      },
      { raw: true },
    )
    serve(app, runWorkbookImport, async (request) => ({
      data: toWorkbookRecord(await startRun(services, actorOf(request), request.params.id)),
    }))
    serve(app, discardWorkbookImport, async (request) => ({
      data: await discardWorkbook(services, actorOf(request), request.params.id),
    }))
    serve(app, readWorkbookUndo, async (request) => ({
      data: await previewUndo(db, request.params.id, {
        actor: actorOf(request),
        language: languageOfRequest(request),
        now: clock.now(),
      }),
    }))
    serve(app, undoWorkbookImport, async (request) => ({
      data: toWorkbookRecord(
        await undoWorkbook(db, request.params.id, {
          actor: actorOf(request),
          language: languageOfRequest(request),
          now: clock.now(),
        }),
      ),
    }))
  }
