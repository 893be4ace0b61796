import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  cancelImport,
  checkImport,
  downloadImportFile,
  downloadProblemRows,
  importEndpointsOf,
  readImport,
  runImport,
} from '#domain/transfer/endpoints.ts'
import type { Entity } from '#entities/define/entity.ts'
import { entities, getEntity } from '#entities/index.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { claimFile } from '#server/platform/files/stored-files.ts'
import { receiveUpload } from '#server/platform/files/uploads.ts'
import { asAttachment } from '#server/platform/http/as-attachment.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sheetTypes } from '#server/platform/sheets/send-export.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { getRow } from '#server/resource/store.ts'
import { serveExports } from './exports.ts'
import { maxSheetBytes, storeSheet } from './imports/import-files.ts'
import {
  checkAgain,
  getImport,
  serveImportProblems,
  serveImports,
  startImport,
  startRun,
  stopImport,
  toImportRecord,
} from './imports/imports.ts'
import { problemRowsCsv } from './imports/problem-rows.ts'
import { buildTemplate } from './imports/template.ts'
import { markInterrupted, sendUpload } from './imports/uploads.ts'

type App = Parameters<typeof serve>[0]

function serveEntity(app: App, services: Services, entity: Entity) {
  const { db } = services
  const { template, upload } = importEndpointsOf(entity)
  serve(
    app,
    template,
    async (request, reply) => {
      const language = languageOfRequest(request)
      const { format } = request.query
      const { timeZone } = await getSettings(db)
      const content = await buildTemplate(db, actorOf(request), entity, format, language, timeZone)
      return asAttachment(reply, `${entity.slug}-template.${format}`, sheetTypes[format]).send(content)
    },
    { raw: true },
  )
  serve(
    app,
    upload,
    async (request) => {
      const actor = actorOf(request)
      const { parentId = null } = request.query
      if (parentId && entity.parent) await getRow(db, getEntity(entity.parent.slug), { id: parentId, actor })
      const { file, format } = await receiveUpload(services, request, { maxBytes: maxSheetBytes }, (sheet) =>
        storeSheet(services, actor, sheet, ['xlsx', 'csv']),
      )
      const created = await inTransaction(services, actor, async (context) => {
        const { tx } = context
        await claimFile(tx, file)
        return startImport(context, {
          entity,
          parentId: entity.parent ? parentId : null,
          file,
          format,
        })
      })
      return { data: await toImportRecord(db, created) }
    },
    { status: 201 },
  )
}

export const transferRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services
    for (const entity of entities) serveEntity(app, services, entity)

    serveImports(app, services)
    serve(app, readImport, async (request) => {
      await markInterrupted(services)
      return { data: await toImportRecord(db, await getImport(db, actorOf(request), request.params.id)) }
    })
    serveImportProblems(app, services)
    serve(
      app,
      downloadProblemRows,
      async (request, reply) => {
        const found = await getImport(db, actorOf(request), request.params.id)
        const name = found.fileName.replace(/\.[^.]*$/, '')
        const content = await problemRowsCsv(services, found, languageOfRequest(request))
        return asAttachment(reply, `${name}-problems.csv`, sheetTypes.csv).send(content)
      },
      { raw: true },
    )
    serve(
      app,
      downloadImportFile,
      async (request, reply) => {
        return sendUpload(services, reply, await getImport(db, actorOf(request), request.params.id))
      },
      { raw: true },
    )
    serve(app, checkImport, async (request) => ({
      data: await toImportRecord(db, await checkAgain(services, actorOf(request), request.params.id)),
    }))
    serve(app, runImport, async (request) => ({
      data: await toImportRecord(db, await startRun(services, actorOf(request), request.params.id)),
    }))
    serve(app, cancelImport, async (request) => ({
      data: await toImportRecord(db, await stopImport(services, actorOf(request), request.params.id)),
    }))
    serveExports(app, services)
  }
