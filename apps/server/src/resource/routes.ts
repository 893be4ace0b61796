import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { Entity } from '#entities/define/entity.ts'
import { problemsOf } from '#entities/define/rules.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { entities } from '#entities/index.ts'
import { maskerOf } from '#server/list/columns.ts'
import { serveList } from '#server/list/serve-list.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { refuseSharedToLimited } from '#server/platform/database/shared-rows.ts'
import { InputError, languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sourceOf } from './list-source.ts'
import { findOptions } from './options.ts'
import { problemsWithOthers } from './refusals.ts'
import { createRow, getRow, removeRow, setRowActive, updateRow, type Writing } from './store.ts'

type App = Parameters<typeof serve>[0]
type Params = { id: string; parentId?: string }
type Input = Record<string, unknown>

export const writingOf = (request: FastifyRequest, clock: Clock): Writing => ({
  actor: actorOf(request),
  language: languageOfRequest(request),
  now: clock.now(),
  parentId: (request.params as Partial<Params>).parentId,
})

/** Serves the generic routes of a master entity. Further routes belong in a module. */
function serveEntity(app: App, services: Services, entity: Entity) {
  const { db, clock } = services
  const endpoints = endpointsOf(entity)
  const writing = (request: FastifyRequest) => writingOf(request, clock)

  for (const list of entity.parent ? [endpoints.list, endpoints.all] : [endpoints.list])
    serveList(app, services, list, sourceOf(db, entity))
  serve(app, endpoints.options, async (request) => ({
    data: await findOptions(db, entity, actorOf(request), request.query),
  }))
  serve(app, endpoints.read, async (request) => {
    const actor = actorOf(request)
    const row = await getRow(db, entity, { id: request.params.id, actor })
    return { data: maskerOf(endpoints.list, actor)(row) }
  })
  serve(
    app,
    endpoints.create,
    async (request) => {
      const body = await soundBody(db, entity, endpoints.create.body, request)
      return { data: await createRow(db, entity, body, writing(request)) }
    },
    { status: 201, attachValidation: true },
  )
  serve(
    app,
    endpoints.update,
    async (request) => {
      const { id } = request.params as Params
      const body = await soundBody(db, entity, endpoints.update.body, request)
      return { data: await updateRow(db, entity, id, body, writing(request)) }
    },
    { attachValidation: true },
  )
  serve(app, endpoints.setActive, async (request) => {
    const { id } = request.params as Params
    const { active, version } = request.body
    return { data: await setRowActive(db, entity, id, active, version, writing(request)) }
  })
  serve(app, endpoints.remove, async (request) => {
    const { id } = request.params as Params
    await removeRow(db, entity, id, writing(request))
    return { data: { id } }
  })
}

/** The request body. If its schema refused it, throws 422 that also has the problems of the fields it accepted. */
async function soundBody(db: Db, entity: Entity, { shape }: z.ZodObject, request: FastifyRequest) {
  refuseSharedToLimited(entity, actorOf(request))
  const inputError = request.validationError as (InputError & { validationContext: string }) | undefined
  const body = request.body as Input
  if (!inputError) return body
  if (inputError.validationContext !== 'body') throw inputError
  const { id } = request.params as Partial<Params>
  const soundInput: Input = {}
  for (const [key, schema] of Object.entries(shape)) {
    const result = (schema as z.ZodType).safeParse(Object(body)[key])
    if (result.success) soundInput[key] = result.data
  }
  throw new InputError(inputError.issues, {
    ...(await problemsWithOthers(db, entity, soundInput, id)),
    ...problemsOf(entity, { ...body, ...soundInput }, languageOfRequest(request)),
  })
}

export const masterRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    for (const entity of entities) serveEntity(app, services, entity)
  }
