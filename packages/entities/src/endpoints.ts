import { z } from 'zod'
import type { Endpoint } from '#domain/endpoint.ts'
import { time } from './define/answer-time.ts'
import { type Entity, permissionOf } from './define/entity.ts'
import { oncePer } from './define/once.ts'
import { createSchema, rowSchema, updateSchema } from './define/schema.ts'
import { typedLine } from './define/typed-text.ts'
import { listsOf } from './list-endpoints.ts'
import { optionReaders } from './option-readers.ts'

/** Must be called `endpoint`: the browser build strips schemas from calls of that name. */
const endpoint = <const E extends Endpoint>(declaration: E): E => declaration

const history = z.object({
  id: z.number(),
  at: time,
  actor: z.string(),
  role: z.string(),
  action: z.string(),
  changes: z.array(
    z.object({
      field: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      beforeTitle: z.unknown(),
      afterTitle: z.unknown(),
    }),
  ),
})
const option = z.object({ id: z.uuid(), title: z.string(), hint: z.string().nullable(), active: z.boolean() })
export type Option = z.output<typeof option>
export type HistoryEntry = z.output<typeof history>

const idParams = z.object({ id: z.uuid() })
const noParams = z.object({})
const parentParams = z.object({ parentId: z.uuid() })
const parentAndIdParams = z.object({ parentId: z.uuid(), id: z.uuid() })
const optionsQuery = z.strictObject({
  q: typedLine().max(100).optional(),
  ids: z.string().max(2000).optional(),
  parent: z.uuid().optional(),
  per_page: z.coerce.number().int().min(1).max(100).default(50),
})

/** The row of an entity as the answer of a call. */
const answerOf = oncePer((entity: Entity) => z.object({ data: rowSchema(entity) }))

/** Endpoints every entity has. Server and web share them, so paths are written once. */
export const endpointsOf: (entity: Entity) => EntityEndpoints = oncePer(makeEndpoints)

function makeEndpoints(entity: Entity) {
  const { parent } = entity
  const base = parent ? `/master/${parent.slug}/:parentId/${parent.path}` : `/master/${entity.slug}`
  const noun = entity.label.one.en.toLowerCase()
  const nouns = entity.label.many.en.toLowerCase()
  const view = permissionOf(entity, 'view')
  const update = permissionOf(entity, 'update')
  const paramsAbove = parent ? parentParams : noParams
  const params = parent ? parentAndIdParams : idParams

  return {
    ...listsOf(entity),
    read: endpoint({
      method: 'GET',
      // Nested rows can also be read by id alone, because their pages do not know the parent.
      path: `/master/${entity.slug}/:id`,
      access: view,
      summary: `Read one ${noun}`,
      params: idParams,
      get response() {
        return answerOf(entity)
      },
    }),
    create: endpoint({
      method: 'POST',
      path: base,
      access: permissionOf(entity, 'create'),
      summary: `Add a ${noun}`,
      params: paramsAbove,
      get body() {
        return createSchema(entity)
      },
      get response() {
        return answerOf(entity)
      },
    }),
    update: endpoint({
      method: 'PUT',
      path: `${base}/:id`,
      access: update,
      summary: `Change a ${noun}; 409 when somebody else did since \`version\``,
      params,
      get body() {
        return updateSchema(entity)
      },
      get response() {
        return answerOf(entity)
      },
    }),
    setActive: endpoint({
      method: 'PUT',
      path: `${base}/:id/active`,
      access: update,
      summary: `Activate or deactivate a ${noun}`,
      params,
      body: z.strictObject({ active: z.boolean(), version: z.int().min(1) }),
      get response() {
        return answerOf(entity)
      },
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `${base}/:id`,
      access: permissionOf(entity, 'delete'),
      summary: `Delete a ${noun} that nothing uses`,
      params,
      response: z.object({ data: idParams }),
    }),
    history: endpoint({
      method: 'GET',
      path: `/master/${entity.slug}/:id/history`,
      access: view,
      summary: `Who changed the ${noun}, newest first`,
      params: idParams,
      response: z.object({ data: z.array(history) }),
    }),
    options: endpoint({
      method: 'GET',
      path: `/master/${entity.slug}/options`,
      access: view,
      alsoFor: optionReaders(entity),
      summary: `Find ${nouns} to choose from; \`ids\` names chosen ones`,
      query: optionsQuery,
      response: z.object({ data: z.array(option) }),
    }),
  }
}

export type EntityEndpoints = ReturnType<typeof makeEndpoints>

export type BulkAction = 'activate' | 'deactivate' | 'delete'
const bulkBody = z.strictObject({ ids: z.array(z.uuid()).min(1).max(500) })
const bulkRow = z.object({ id: z.uuid(), title: z.string() })
const bulkAnswer = z.object({
  data: z.object({ allowed: z.array(bulkRow), refused: z.array(bulkRow.extend({ reason: z.string() })) }),
})

/** Bulk changes. Each action has a preview of the rows it would change. */
export const bulkEndpointsOf = (entity: Entity) => {
  const nouns = entity.label.many.en.toLowerCase()
  const call = (action: BulkAction, path: string, summary: string) =>
    endpoint({
      method: 'POST',
      path: `/master/${entity.slug}/bulk/${action}${path}`,
      access: permissionOf(entity, action === 'delete' ? 'delete' : 'update'),
      summary,
      body: bulkBody,
      response: bulkAnswer,
    })
  const previewAndRun = (action: BulkAction, verb: string) => ({
    preview: {
      ...call(action, '/preview', `Which ${nouns} would be ${verb}, and which not and why`),
      reads: true as const,
    },
    run: call(action, '', `The chosen ${nouns} are ${verb}; those refused stay as they are`),
  })
  return {
    activate: previewAndRun('activate', 'activated'),
    deactivate: previewAndRun('deactivate', 'deactivated'),
    delete: previewAndRun('delete', 'deleted'),
  }
}

/** Endpoints of entities with file fields. */
export function fileEndpointsOf(entity: Entity) {
  const noun = entity.label.one.en.toLowerCase()
  return {
    upload: endpoint({
      method: 'POST',
      path: `/master/${entity.slug}/files/:field`,
      access: permissionOf(entity, 'update'),
      summary: `Send a file (multipart) that a ${noun} will name`,
      upload: true,
      params: z.object({ field: z.string().max(60) }),
      response: z.object({ data: z.object({ id: z.uuid(), name: z.string() }) }),
    }),
    fileLink: endpoint({
      method: 'GET',
      path: `/master/${entity.slug}/:id/files/:field`,
      access: permissionOf(entity, 'view'),
      summary: `Address the file of a ${noun} can be downloaded from for a quarter of an hour`,
      params: z.object({ id: z.uuid(), field: z.string().max(60) }),
      response: z.object({ data: z.object({ url: z.string() }) }),
    }),
  }
}
