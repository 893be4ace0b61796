import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { NotNull } from 'kysely'
import { listMessages, outbox, readAllMessages, readMessage, testTemplate } from '#domain/messaging/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { downloadUrl } from '#server/platform/files/stored-files.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sendTest } from './send-test.ts'

const columns = ['id', 'event', 'subject', 'body', 'link', 'createdAt', 'readAt'] as const

const inboxOf = (db: Db, accountId: string) =>
  db.selectFrom('messages').where('accountId', '=', accountId).where('channel', '=', 'inbox')

export const messagingRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock, config } = services
    serve(app, listMessages, async (request) => {
      const { page, per_page: perPage, unread } = request.query
      const inbox = inboxOf(db, actorOf(request).accountId)
      const counts = await inbox
        .select((eb) => [
          eb.fn.countAll<number>().as('all'),
          eb.fn.countAll<number>().filterWhere('readAt', 'is', null).as('unread'),
        ])
        .executeTakeFirstOrThrow()
      const data = await inbox
        .select(columns)
        .$if(unread === 'true', (query) => query.where('readAt', 'is', null))
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(perPage)
        .offset((page - 1) * perPage)
        .execute()
      const total = unread === 'true' ? counts.unread : counts.all
      const next = page * perPage < total ? String(page + 1) : null
      return { data, meta: { total, total_is_estimate: false, next, unread: counts.unread } }
    })

    serve(app, readMessage, async (request) => {
      const data = await db
        .updateTable('messages')
        .set((eb) => ({ readAt: eb.fn.coalesce('readAt', eb.val(clock.now())), status: 'read' as const }))
        .where('id', '=', request.params.id)
        .where('accountId', '=', actorOf(request).accountId)
        .where('channel', '=', 'inbox')
        .returning(columns)
        .executeTakeFirst()
      if (!data) throw notFound('message')
      return { data }
    })

    serve(app, readAllMessages, async (request) => {
      const { numUpdatedRows } = await db
        .updateTable('messages')
        .set({ readAt: clock.now(), status: 'read' })
        .where('accountId', '=', actorOf(request).accountId)
        .where('channel', '=', 'inbox')
        .where('readAt', 'is', null)
        .executeTakeFirst()
      return { data: { read: Number(numUpdatedRows) } }
    })

    serve(app, testTemplate, async (request) => ({ data: await sendTest(services, actorOf(request), request.body) }), {
      rateLimit: { max: 20, timeWindow: '1 minute', keyOf: (request) => actorOf(request).accountId },
    })

    serve(app, outbox, async (request) => {
      if (!config.demo) throw notFound('outbox')
      const { to, limit } = request.query
      const data = await db
        .selectFrom('messages as m')
        .leftJoin('files as f', (join) => join.onRef('f.id', '=', 'm.fileId').on('f.deletedAt', 'is', null))
        .select(['m.id', 'channel', 'toAddress', 'event', 'language', 'subject', 'body', 'link', 'status'])
        .select(['m.createdAt', 'm.accountId', 'f.id as fileId', 'f.name as fileName'])
        .where('channel', 'in', ['email', 'whatsapp'])
        .where('toAddress', 'is not', null)
        .$narrowType<{ toAddress: NotNull }>()
        .$if(to !== undefined, (query) =>
          query.where((eb) => eb(eb.fn('lower', ['toAddress']), '=', to!.toLowerCase())),
        )
        .orderBy('m.createdAt', 'desc')
        .orderBy('m.id')
        .limit(limit)
        .execute()
      return {
        data: data.map(({ toAddress, channel, accountId, fileId, fileName, ...message }) => ({
          ...message,
          channel: channel as 'email' | 'whatsapp',
          to: toAddress,
          file: fileId && accountId ? { name: fileName!, url: downloadUrl(services, { accountId }, fileId) } : null,
        })),
      }
    })
  }
