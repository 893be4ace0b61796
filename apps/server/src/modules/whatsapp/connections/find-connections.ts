import { type Selectable, sql } from 'kysely'
import { listConnections } from '#domain/whatsapp/lists.ts'
import { standingOf } from '#domain/whatsapp/standing.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { contains, type Database, type Db, likePattern } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { qrOf } from '#server/platform/files/qr.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { unseal } from './secrets.ts'

export type Connection = Selectable<Database['whatsappConnections']>

const dayMs = 86_400_000

const sentSince = (since: Date) => sql<number>`(SELECT count(*)::int FROM handovers h
  WHERE h.channel = 'whatsapp' AND h.connection_id = c.id AND h.handed_at > ${since}
    AND h.state IN ('accepted', 'delivered', 'read'))`

const rowColumns = [
  'c.id',
  'c.name',
  'c.kind',
  'c.phone',
  'c.active',
  'c.isDefault',
  'c.state',
  'c.problem',
  'c.checkedAt',
  'c.createdAt',
  'c.updatedAt',
] as const

type StandingFacts = Pick<Connection, 'kind' | 'active' | 'state' | 'problem' | 'checkedAt'>
const standing = (row: StandingFacts) => standingOf(row)

export const serveConnections = (app: App, services: Services) =>
  serveList(app, services, listConnections, {
    from: () => services.db.selectFrom('whatsappConnections as c'),
    scope: 'everyone',
    filters: {
      kind: 'c.kind',
      active: 'c.active',
      q: (q) => (eb) => eb.or([contains('c.name', q), eb('c.phone', 'like', likePattern(q))]),
    },
    columns: (rows, { now }) =>
      rows.select(rowColumns).select(sentSince(new Date(now.getTime() - dayMs)).as('sentLastDay')),
    sorts: {
      name: { by: sql`lower(c.name)`, type: 'text' },
      createdAt: { by: sql`c.created_at`, type: 'timestamptz' },
    },
    id: sql`c.id`,
    toRows: (found) => found.map((row) => ({ ...row, standing: standing(row) })),
  })

export async function getConnection(db: Db, id: string, lock = false): Promise<Connection> {
  const row = await db
    .selectFrom('whatsappConnections')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw notFound('whatsapp connection')
  return row
}

/** A connection for its detail page; its secrets appear only as the times when they were set. */
export async function showConnection(services: Services, actor: Actor, id: string, db: Db = services.db) {
  const now = services.clock.now()
  const row = await getConnection(db, id)
  const counts = await db
    .selectFrom('whatsappConnections as c')
    .select(sentSince(new Date(now.getTime() - dayMs)).as('sentLastDay'))
    .select(
      sql<number>`(SELECT count(*)::int FROM handovers h WHERE h.channel = 'whatsapp' AND h.message_id IS NOT NULL
        AND (h.state = 'due' AND (h.bound_to = c.id OR h.bound_to IS NULL AND c.is_default)
          OR h.state = 'handed' AND h.connection_id = c.id))`.as('waiting'),
    )
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow()
  const { accessTokenSetAt, appSecretSetAt, verifyTokenSetAt } = row
  return {
    ...row,
    ...counts,
    standing: standing(row),
    secrets: { accessToken: accessTokenSetAt, appSecret: appSecretSetAt, verifyToken: verifyTokenSetAt },
    webhookUrl: row.kind === 'cloud' ? `${services.config.publicUrl}/api/whatsapp/webhook/${id}` : null,
    pairing: actor.permissions.has('settings-whatsapp-update') ? pairingOf(services, row, now) : null,
  }
}

/** QR or pairing code, until it expires; null otherwise. */
function pairingOf(services: Services, { id, pairingSealed, pairingUntil }: Connection, now: Date) {
  const pairing = pairingUntil && pairingUntil > now ? unseal(services, id, 'pairing', pairingSealed) : undefined
  if (!pairing) return null
  const { qr, code } = JSON.parse(pairing) as { qr?: string; code?: string }
  return { qr: qr ? qrOf(qr) : null, code: code ? code.replace(/^(.{4})(.{4})$/, '$1-$2') : null }
}
