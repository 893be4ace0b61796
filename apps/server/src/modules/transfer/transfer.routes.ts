import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { exportOf } from '#domain/list.ts'
import {
  cancelImport,
  checkImport,
  downloadImportFile,
  downloadProblemRows,
  importEndpointsOf,
  listExports,
  listImportProblems,
  listImports,
  readImport,
  runImport,
} from '#domain/transfer/endpoints.ts'
import type { Entity } from '#entities/define/entity.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { entities, getEntity } from '#entities/index.ts'
import { actorOf } from '#server/platform/authorization.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import { getFile, keepFile, safeName, type UploadPart } from '#server/platform/files.ts'
import { serve } from '#server/platform/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sheetTypes } from '#server/platform/sheets/send-export.ts'
import { getRow } from '#server/resource/store.ts'
import { exportEntity } from './export-entity.ts'
import { exportsRegister, findExports } from './exports.ts'
import { formatOf } from './import-files.ts'
import {
  checkAgain,
  findImports,
  findProblems,
  getImport,
  markInterrupted,
  shownImport,
  startImport,
  startRun,
  stopImport,
} from './imports.ts'
import { problemRowsCsv } from './problem-rows.ts'
import { templateOf } from './template.ts'

type App = Parameters<typeof serve>[0]

const attached = (reply: FastifyReply, name: string, type: string) =>
  reply
    .type(type)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)

const mostBytes = 30_000_000

async function bytesOf(part: UploadPart | undefined) {
  if (!part) throw invalid({ file: 'file_missing' })
  try {
    return await part.toBuffer()
  } catch (error) {
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE')
      throw invalid({ file: { code: 'file_too_large', params: { maximum: `${mostBytes / 1_000_000} MB` } } })
    throw error
  }
}

function serveEntity(app: App, services: Services, entity: Entity) {
  const { db } = services
  const { template, upload } = importEndpointsOf(entity)
  const { list, all } = endpointsOf(entity)
  for (const rows of entity.parent ? [list, all] : [list])
    serve(app, exportOf(rows), (request, reply) => exportEntity(services, entity, request, reply), { raw: true })
  serve(
    app,
    template,
    async (request, reply) => {
      const language = languageOfRequest(request)
      const { format } = request.query
      const { timeZone } = await getSettings(db)
      const content = await templateOf(db, actorOf(request), entity, format, language, timeZone)
      return attached(reply, `${entity.slug}-template.${format}`, sheetTypes[format]).send(content)
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
      const part = await request.file()
      const bytes = await bytesOf(part)
      if (bytes.length === 0) throw invalid({ file: 'file_empty' })
      const format = formatOf(bytes)
      if (!format) throw invalid({ file: { code: 'file_type', params: { accepted: 'XLSX, CSV' } } })
      const name = safeName(part!.filename, format)
      const made = await db.transaction().execute(async (tx) => {
        const file = await keepFile(services, tx, actor, name, 'import', {
          bytes,
          mime: sheetTypes[format],
          extension: format,
        })
        return startImport(services, tx, actor, {
          entity,
          parentId: entity.parent ? parentId : null,
          fileId: file.id,
          fileName: name,
          format,
          bytes: bytes.length,
        })
      })
      return { data: await shownImport(db, made) }
    },
    { status: 201 },
  )
}

export const transferRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services
    for (const entity of entities) serveEntity(app, services, entity)

    serve(app, listImports, (request) => findImports(services, actorOf(request), request.query))
    serve(app, readImport, async (request) => {
      await markInterrupted(services)
      return { data: await shownImport(db, await getImport(db, actorOf(request), request.params.id)) }
    })
    serve(app, listImportProblems, async (request) => {
      const { id } = await getImport(db, actorOf(request), request.params.id)
      return findProblems(db, id, languageOfRequest(request), request.query)
    })
    serve(
      app,
      downloadProblemRows,
      async (request, reply) => {
        const found = await getImport(db, actorOf(request), request.params.id)
        const name = found.fileName.replace(/\.[^.]*$/, '')
        const content = problemRowsCsv(services, found, languageOfRequest(request))
        return attached(reply, `${name}-problems.csv`, sheetTypes.csv).send(content)
      },
      { raw: true },
    )
    serve(
      app,
      downloadImportFile,
      async (request, reply) => {
        const found = await getImport(db, actorOf(request), request.params.id)
        if (!found.fileId) throw conflict('import_file_gone')
        const { storageKey } = await getFile(db, found.fileId)
        return attached(reply, found.fileName, sheetTypes[found.format]).send(await services.files.read(storageKey))
      },
      { raw: true },
    )
    serve(app, checkImport, async (request) => ({
      data: await shownImport(db, await checkAgain(services, actorOf(request), request.params.id)),
    }))
    serve(app, runImport, async (request) => ({
      data: await shownImport(db, await startRun(services, actorOf(request), request.params.id)),
    }))
    serve(app, cancelImport, async (request) => ({
      data: await shownImport(db, await stopImport(services, actorOf(request), request.params.id)),
    }))

    serve(app, listExports, async (request) => findExports(services, actorOf(request), request.query))
    serve(app, exportOf(listExports), (request, reply) => exportsRegister(services, request, reply), { raw: true })
  }
