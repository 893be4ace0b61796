import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { createView, listViews, removeView, updateView } from '#domain/views/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

const columns = ['id', 'name', 'query', 'columns', 'isDefault'] as const
/** Limit per list: more views would make the menu unreadable. */
const mostViews = 50
/** Limit per account, because the server does not check that the named list exists. */
const mostViewsOfAccount = 1000

/** Serialises the writes of an account, so that the counts and the single default view hold until the commit. */
const lockViews = (tx: Db, accountId: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`views ${accountId}`}, 0))`.execute(tx)

async function refuseTooManyViews(tx: Db, accountId: string, list: string) {
  const { ofAccount, ofList } = await tx
    .selectFrom('savedViews')
    .select(({ fn }) => [
      fn.countAll<number>().as('ofAccount'),
      fn.countAll<number>().filterWhere('list', '=', list).as('ofList'),
    ])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  if (ofList >= mostViews) throw conflict('too_many_views', { most: mostViews })
  if (ofAccount >= mostViewsOfAccount) throw conflict('too_many_views', { most: mostViewsOfAccount })
}

/** Clears the default view of a list, which may have only one. */
const unsetDefault = (tx: Db, accountId: string, list: string) =>
  tx
    .updateTable('savedViews')
    .set({ isDefault: false })
    .where('accountId', '=', accountId)
    .where('list', '=', list)
    .where('isDefault', '=', true)
    .execute()

async function refuseTakenName<T>(write: () => Promise<T>) {
  try {
    return await write()
  } catch (error) {
    const { constraint } = error as { constraint?: string }
    if (constraint === 'saved_views_name_key') throw invalid({ name: 'already_exists' })
    throw error
  }
}

/** Routes of saved views. Every account reads and changes only its own. */
export const viewRoutes =
  ({ db, clock }: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, listViews, async (request) => ({
      data: await db
        .selectFrom('savedViews')
        .select(columns)
        .where('accountId', '=', actorOf(request).accountId)
        .where('list', '=', request.query.list)
        .orderBy('name')
        .execute(),
    }))

    serve(
      app,
      createView,
      async (request) => {
        const { accountId } = actorOf(request)
        const { list } = request.body
        const data = await refuseTakenName(() =>
          db.transaction().execute(async (tx) => {
            await lockViews(tx, accountId)
            await refuseTooManyViews(tx, accountId, list)
            if (request.body.isDefault) await unsetDefault(tx, accountId, list)
            return tx
              .insertInto('savedViews')
              .values({ ...request.body, accountId })
              .returning(columns)
              .executeTakeFirstOrThrow()
          }),
        )
        return { data }
      },
      { status: 201 },
    )

    serve(app, updateView, async (request) => {
      const { accountId } = actorOf(request)
      const data = await refuseTakenName(() =>
        db.transaction().execute(async (tx) => {
          await lockViews(tx, accountId)
          const own = await tx
            .selectFrom('savedViews')
            .select('list')
            .where('id', '=', request.params.id)
            .where('accountId', '=', accountId)
            .forUpdate()
            .executeTakeFirst()
          if (!own) throw notFound('view')
          if (request.body.isDefault) await unsetDefault(tx, accountId, own.list)
          return tx
            .updateTable('savedViews')
            .set({ ...request.body, updatedAt: clock.now() })
            .where('id', '=', request.params.id)
            .returning(columns)
            .executeTakeFirstOrThrow()
        }),
      )
      return { data }
    })

    serve(app, removeView, async (request) => {
      const { id } = request.params
      const removed = await db
        .deleteFrom('savedViews')
        .where('id', '=', id)
        .where('accountId', '=', actorOf(request).accountId)
        .returning('id')
        .executeTakeFirst()
      if (!removed) throw notFound('view')
      return { data: { id } }
    })
  }
