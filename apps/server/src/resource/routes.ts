import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { ListQuery, Row } from '#entities/define/row.ts'
import { endpointsOf, fileEndpointsOf } from '#entities/endpoints.ts'
import { entities } from '#entities/index.ts'
import { type Actor, actorOf } from '#server/platform/authorization.ts'
import type { Clock } from '#server/platform/clock.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import { notFound } from '#server/platform/errors.ts'
import { downloadUrl, storeUpload } from '#server/platform/files.ts'
import { serve } from '#server/platform/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { maskSensitive } from './columns.ts'
import { listRows } from './list-query.ts'
import { findOptions } from './options.ts'
import { createRow, getRow, removeRow, setRowActive, updateRow, type Writing } from './store.ts'

type App = Parameters<typeof serve>[0]
type Params = { id: string; parentId?: string }

/** Who changes what, from where, and the language to refuse it in. */
export const writingOf = (request: FastifyRequest, clock: Clock): Writing => ({
  actor: actorOf(request),
  language: languageOfRequest(request),
  now: clock.now(),
  parentId: (request.params as Partial<Params>).parentId,
})

/** The routes every master entity gets. Anything more belongs in a module. */
function serveEntity(app: App, services: Services, entity: Entity) {
  const { db, clock } = services
  const endpoints = endpointsOf(entity)
  const mayEdit = (actor: Actor) => actor.permissions.has(permissionOf(entity, 'update'))
  const shown = (actor: Actor, row: Row) => (mayEdit(actor) ? row : maskSensitive(entity, row))
  const writing = (request: FastifyRequest) => writingOf(request, clock)

  serve(app, endpoints.list, async (request) => {
    const { parentId } = request.params as Partial<Params>
    const listed = await listRows(db, entity, actorOf(request), request.query as ListQuery, parentId)
    return { ...listed, data: listed.data.map((row) => maskSensitive(entity, row)) } as never
  })
  serve(app, endpoints.options, async (request) => ({
    data: await findOptions(db, entity, actorOf(request), request.query),
  }))
  serve(app, endpoints.read, async (request) => {
    const actor = actorOf(request)
    const row = await getRow(db, entity, { id: request.params.id, actor })
    return { data: shown(actor, row) } as never
  })
  serve(
    app,
    endpoints.create,
    async (request) => ({ data: await createRow(db, entity, request.body, writing(request)) }) as never,
    { status: 201 },
  )
  serve(app, endpoints.update, async (request) => {
    const { id } = request.params as Params
    return { data: await updateRow(db, entity, id, request.body, writing(request)) } as never
  })
  serve(app, endpoints.setActive, async (request) => {
    const { id } = request.params as Params
    const { active, version } = request.body
    return { data: await setRowActive(db, entity, id, active, version, writing(request)) } as never
  })
  serve(app, endpoints.remove, async (request) => {
    const { id } = request.params as Params
    await removeRow(db, entity, id, writing(request))
    return { data: { id } }
  })
  if (Object.values(entity.fields).some((field) => field.kind === 'file')) serveFiles(app, services, entity)
}

const documents = ['application/pdf', 'image/jpeg', 'image/png']

/** A file is sent first; the row that is saved afterwards names it. */
function serveFiles(app: App, services: Services, entity: Entity) {
  const { upload, fileLink } = fileEndpointsOf(entity)
  serve(app, upload, async (request) => {
    const field = entity.fields[request.params.field]
    if (field?.kind !== 'file') throw notFound('field')
    const stored = await storeUpload(services, services.db, actorOf(request), await request.file(), {
      kind: field.accept,
      maxBytes: field.maxMb * 1024 * 1024,
      acceptedTypes: field.accept === 'image' ? ['image/jpeg', 'image/png', 'image/webp'] : documents,
      purpose: entity.slug,
      field: request.params.field,
    })
    return { data: { id: stored.id, name: stored.name } }
  })
  serve(app, fileLink, async (request) => {
    const { id, field } = request.params
    const row = await getRow(services.db, entity, { id, actor: actorOf(request) })
    const fileId = entity.fields[field]?.kind === 'file' ? row[field] : null
    if (typeof fileId !== 'string') throw notFound('file')
    return { data: { url: downloadUrl(services, actorOf(request), fileId) } }
  })
}

export const masterRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    for (const entity of entities) serveEntity(app, services, entity)
  }
