import { sql } from 'kysely'
import { parsePhone } from '#domain/accounts/phone.ts'
import { listDeliveries } from '#domain/whatsapp/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getConnection } from './connections/find-connections.ts'

/** Whole numbers are for those who see the contacts of accounts anyway. */
const seesNumbers = (actor: Actor) => actor.permissions.has('settings-accounts-update')
const cutShort = (phone: string) => `••••${phone.slice(-3)}`

/**
 * What a connection has to do and did, newest first; not what the messages say. Who sees a part of the university only
 * meets the own messages: whose applicants the others are is not for them.
 */
export const serveDeliveries = (app: App, services: Services) =>
  serveList(app, services, listDeliveries, {
    from: async ({ actor, params }, { status, q }) => {
      await getConnection(services.db, params.id)
      const digits = q && (parsePhone(q) ?? q.replace(/\D/g, '').replace(/^0/, ''))
      return services.db
        .selectFrom('messages as m')
        .leftJoin('accounts as a', 'a.id', 'm.accountId')
        .where('m.channel', '=', 'whatsapp')
        .where('m.connectionId', '=', params.id)
        .$if(!seesAll(actor), (rows) => rows.where('m.accountId', '=', actor.accountId))
        .$if(status !== undefined, (rows) => rows.where('m.status', '=', status!))
        .$if(q !== undefined, (rows) =>
          rows.where((eb) =>
            eb.or([
              eb('a.name', 'ilike', likePattern(q!)),
              ...(seesNumbers(actor) && digits && digits.length >= 4
                ? [eb('m.toAddress', 'like', likePattern(digits))]
                : []),
            ]),
          ),
        )
    },
    columns: (rows) =>
      rows.select([
        'm.id',
        'm.event',
        'm.language',
        'm.toAddress',
        'm.accountId',
        'a.name',
        'm.status',
        sql<string | null>`m.provider_template ->> 'name'`.as('template'),
        'm.attempts',
        'm.error as problem',
        'm.errorDetail as problemDetail',
        'm.createdAt',
        'm.sentAt',
        'm.deliveredAt',
        'm.readAt',
      ]),
    sorts: { createdAt: { by: sql`m.created_at`, type: 'timestamptz' } },
    id: sql`m.id`,
    toRows: (found, { actor }) =>
      found.map(({ accountId, toAddress, ...row }) => {
        const isReadable = seesNumbers(actor) || accountId === actor.accountId
        const to = isReadable ? (toAddress ?? '') : cutShort(toAddress ?? '')
        return { ...row, to, receiver: row.name ?? to }
      }),
  })
