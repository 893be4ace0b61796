import { sql } from 'kysely'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import { listOptOuts, listSuppressions } from '#domain/campaigns/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { addressesVisibleTo, addressMatches } from './address-scope.ts'

const matches = (actor: Actor, alias: string, q: string) =>
  addressMatches(actor, alias, likePattern(phonePartsOf(q)[0] ?? q.toLowerCase()))

export const serveSuppressions = (app: App, services: Services) =>
  serveList(app, services, listSuppressions, {
    from: () => services.db.selectFrom('suppressedAddresses as s'),
    scope: ({ actor }) => addressesVisibleTo(actor, 's'),
    filters: {
      channel: 's.channel',
      reason: 's.reason',
      lifted: (lifted) => (eb) => eb('s.liftedAt', lifted === 'true' ? 'is not' : 'is', null),
      q: (q, { actor }) => matches(actor, 's', q),
    },
    columns: (rows) =>
      rows
        .leftJoin('accounts as w', 'w.id', 's.liftedBy')
        .select(['s.id', 's.address', 's.channel', 's.reason', 's.detail', 's.createdAt', 's.liftedAt', 's.version'])
        .select('w.name as liftedBy'),
    sorts: { createdAt: { by: sql`s.created_at`, type: 'timestamptz' } },
    id: sql`s.id`,
  })

export const serveOptOuts = (app: App, services: Services) =>
  serveList(app, services, listOptOuts, {
    from: () => services.db.selectFrom('optOuts as o'),
    scope: ({ actor }) => addressesVisibleTo(actor, 'o'),
    filters: {
      purpose: 'o.purpose',
      source: 'o.source',
      lifted: (lifted) => (eb) => eb('o.liftedAt', lifted === 'true' ? 'is not' : 'is', null),
      q: (q, { actor }) => matches(actor, 'o', q),
    },
    columns: (rows) =>
      rows
        .leftJoin('accounts as w', 'w.id', 'o.liftedBy')
        .leftJoin('accounts as v', 'v.id', 'o.createdBy')
        .select(['o.id', 'o.address', 'o.purpose', 'o.source', 'o.note', 'o.createdAt', 'o.liftedAt', 'o.version'])
        .select(['w.name as liftedBy', 'v.name as createdBy']),
    sorts: { createdAt: { by: sql`o.created_at`, type: 'timestamptz' } },
    id: sql`o.id`,
  })
