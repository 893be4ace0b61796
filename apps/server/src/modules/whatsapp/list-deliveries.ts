import { sql } from 'kysely'
import type { z } from 'zod'
import { parsePhone } from '#domain/accounts/phone.ts'
import type { listDeliveries as listCall, WhatsappDelivery } from '#domain/whatsapp/endpoints.ts'
import type { Actor } from '#server/platform/authorization.ts'
import { type Db, likePattern } from '#server/platform/database.ts'
import { pageOf } from '#server/platform/page.ts'
import { seesAll } from '#server/platform/row-scope.ts'
import { getConnection } from './find-connections.ts'

type Query = z.output<typeof listCall.query>

/** Whole numbers are for those who see the contacts of accounts anyway. */
const seesNumbers = (actor: Actor) => actor.permissions.has('settings-accounts-update')
const cutShort = (phone: string) => `••••${phone.slice(-3)}`

/**
 * What a connection has to do and did, newest first; not what the messages say. Who sees a part of the university only
 * meets the own messages: whose applicants the others are is not for them.
 */
export async function listDeliveries(db: Db, actor: Actor, id: string, query: Query) {
  await getConnection(db, id)
  const whole = seesNumbers(actor)
  const digits = query.q && (parsePhone(query.q) ?? query.q.replace(/\D/g, '').replace(/^0/, ''))
  const from = db
    .selectFrom('messages as m')
    .leftJoin('accounts as a', 'a.id', 'm.accountId')
    .where('m.channel', '=', 'whatsapp')
    .where('m.connectionId', '=', id)
    .$if(!seesAll(actor), (rows) => rows.where('m.accountId', '=', actor.accountId))
    .$if(query.status !== undefined, (rows) => rows.where('m.status', '=', query.status!))
    .$if(query.q !== undefined, (rows) =>
      rows.where((eb) =>
        eb.or([
          eb('a.name', 'ilike', likePattern(query.q!)),
          ...(whole && digits && digits.length >= 4 ? [eb('m.toAddress', 'like', likePattern(digits))] : []),
        ]),
      ),
    )
  const page = await pageOf(db, query, {
    from,
    columns: (rows) =>
      rows.select([
        'm.id',
        'm.event',
        'm.language',
        'm.toAddress as to',
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
  })
  const iso = (time: Date | null) => time?.toISOString() ?? null
  const data: WhatsappDelivery[] = page.data.map(({ accountId, to, ...row }) => ({
    ...row,
    to: whole || accountId === actor.accountId ? (to ?? '') : cutShort(to ?? ''),
    createdAt: row.createdAt.toISOString(),
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    readAt: iso(row.readAt),
  }))
  return { ...page, data }
}
