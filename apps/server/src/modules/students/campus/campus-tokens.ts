import { sql } from 'kysely'
import { listCampusCalls, listCampusTokens } from '#domain/students/campus/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { hashToken, newToken } from '#server/platform/access/tokens.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import { ofWholeView, requireWholeView } from '#server/platform/database/shared-rows.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

/** Prefix of every token: people and secret scanners recognise a leaked token by it. */
const tokenPrefix = 'pmb_campus_'

type NewCampusToken = { name: string; withIdentity: boolean; programmeIds: readonly string[] }

/**
 * Creates a token and returns it once; the database stores only its hash. 403 if it may read identity numbers and the
 * actor may not, 422 for a name in use or an unknown programme.
 */
export async function createToken(
  { db, clock }: Services,
  actor: Actor,
  { name, withIdentity, programmeIds }: NewCampusToken,
) {
  if (withIdentity) requirePermission(actor, 'pendaftaran-profile-identity')
  const token = `${tokenPrefix}${newToken()}`
  const programmes = [...new Set(programmeIds)]
  return db.transaction().execute(async (tx) => {
    const known = programmes.length
      ? await tx.selectFrom('studyProgrammes').select(['id', 'name']).where('id', 'in', programmes).execute()
      : []
    if (known.length < programmes.length) throw invalid({ programmeIds: 'not_found' })
    const { id } = await tx
      .insertInto('campusTokens')
      .values({
        name,
        tokenHash: hashToken(token),
        withIdentity,
        everyProgramme: programmes.length === 0,
        createdAt: clock.now(),
        createdBy: actor.accountId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (programmes.length > 0)
      await tx
        .insertInto('campusTokenProgrammes')
        .values(programmes.map((programmeId) => ({ tokenId: id, programmeId })))
        .execute()
    await recordAudit(tx, actor, {
      action: 'campus.create',
      on: { campus: id },
      after: { name, withIdentity, programmes: known.map((programme) => programme.name) },
    })
    return { id, token }
  })
}

/** Revokes a token with immediate effect; 409 if it is already revoked. */
export const revokeToken = ({ db, clock }: Services, actor: Actor, id: string, reason: string) =>
  db.transaction().execute(async (tx) => {
    const { name } = await getToken(tx, id)
    const revoked = await tx
      .updateTable('campusTokens')
      .set({ revokedAt: clock.now(), revokedBy: actor.accountId, revokedReason: reason })
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!revoked) throw conflict('campus_token_revoked')
    await recordAudit(tx, actor, { action: 'campus.revoke', on: { campus: id }, after: { name }, reason })
    return getToken(tx, id)
  })

const programmeNames = sql<string[] | null>`CASE WHEN NOT k.every_programme THEN ARRAY(SELECT p.name
  FROM campus_token_programmes x JOIN study_programmes p ON p.id = x.programme_id WHERE x.token_id = k.id ORDER BY 1) END`

/** A token without its secret; 404 if it does not exist. */
export async function getToken(db: Db, id: string) {
  const token = await db
    .selectFrom('campusTokens as k')
    .innerJoin('accounts as u', 'u.id', 'k.createdBy')
    .leftJoin('accounts as v', 'v.id', 'k.revokedBy')
    .select(['k.id', 'k.name', 'k.withIdentity', programmeNames.as('programmes'), 'k.createdAt', 'k.lastUsedAt'])
    .select(['k.revokedAt', 'k.revokedReason', 'u.name as createdBy', 'v.name as revokedBy'])
    .where('k.id', '=', id)
    .executeTakeFirst()
  if (!token) throw notFound('token')
  return token
}

export const serveTokens = (app: App, services: Services) =>
  serveList(app, services, listCampusTokens, {
    from: () => services.db.selectFrom('campusTokens as k'),
    scope: ofWholeView('settings_need_whole_view'),
    filters: {
      state: (state) => (eb) => eb('k.revokedAt', state === 'active' ? 'is' : 'is not', null),
      withIdentity: 'k.withIdentity',
      q: (q) => contains('k.name', q),
    },
    columns: (rows) =>
      rows
        .innerJoin('accounts as u', 'u.id', 'k.createdBy')
        .select(['k.id', 'k.name', 'k.withIdentity', 'k.lastUsedAt', 'k.createdAt', 'u.name as createdBy'])
        .select(sql<'active' | 'revoked'>`CASE WHEN k.revoked_at IS NULL THEN 'active' ELSE 'revoked' END`.as('state'))
        .select(sql<string | null>`array_to_string(${programmeNames}, ', ')`.as('programmes')),
    sorts: {
      name: { by: sql`lower(k.name)`, type: 'text' },
      lastUsedAt: { by: sql`k.last_used_at`, type: 'timestamptz' },
      createdAt: { by: sql`k.created_at`, type: 'timestamptz' },
    },
    id: sql`k.id`,
  })

export const serveCalls = (app: App, services: Services) =>
  serveList(app, services, listCampusCalls, {
    from: () => services.db.selectFrom('campusCalls as c'),
    scope: async ({ actor, params }) => {
      requireWholeView(actor, 'settings_need_whole_view')
      const { id } = await getToken(services.db, params.id)
      return (eb) => eb('c.tokenId', '=', id)
    },
    filters: {
      outcome: 'c.outcome',
    },
    columns: (rows) => rows.select(['c.id', 'c.at', 'c.outcome', 'c.changedSince', 'c.students', 'c.ip']),
    sorts: { id: { by: sql`c.id`, type: 'bigint' } },
    id: sql`c.id`,
    idType: 'bigint',
    above: async ({ params }) => ({ label: 'Token', value: (await getToken(services.db, params.id)).name }),
    toRows: (found) => found.map((row) => ({ ...row, id: String(row.id) })),
  })
