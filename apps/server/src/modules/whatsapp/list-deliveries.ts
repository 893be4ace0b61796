import { sql } from 'kysely'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import { listDeliveries } from '#domain/whatsapp/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskPhone } from '#server/platform/access/masks.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { contains, likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getConnection } from './connections/find-connections.ts'

/**
 * Full phone numbers need permission to edit accounts; other readers see the last three digits, except in their own
 * messages.
 */
const maySeeNumbers = (actor: Actor) => actor.permissions.has('settings-accounts-update')

/** Parts of the typed text that are long enough to search phone numbers for. */
const digitsOf = (typed: string) => phonePartsOf(typed).filter((part) => part.length >= 4)

/**
 * Messages of a connection without their text. A user limited to some programmes sees only messages to their own
 * account.
 */
export const serveDeliveries = (app: App, services: Services) =>
  serveList(app, services, listDeliveries, {
    from: () =>
      services.db
        .selectFrom('messages as m')
        .leftJoin('accounts as a', 'a.id', 'm.accountId')
        .where('m.channel', '=', 'whatsapp'),
    scope: async ({ actor, params }) => {
      const { id } = await getConnection(services.db, params.id)
      const ofConnection = sql<boolean>`m.connection_id = ${id}`
      return seesAll(actor) ? ofConnection : [ofConnection, sql<boolean>`m.account_id = ${actor.accountId}`]
    },
    filters: {
      status: 'm.status',
      q:
        (q, { actor }) =>
        (eb) =>
          eb.or([
            contains('a.name', q),
            ...(maySeeNumbers(actor) ? digitsOf(q).map((part) => eb('m.toAddress', 'like', likePattern(part))) : []),
          ]),
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
        const isReadable = maySeeNumbers(actor) || accountId === actor.accountId
        const to = isReadable ? (toAddress ?? '') : maskPhone(toAddress ?? '')
        return { ...row, to, receiver: row.name ?? to }
      }),
  })
