import { sql } from 'kysely'
import type { z } from 'zod'
import { mustGet } from '#domain/must.ts'
import { type rejectProposal as rejectCall, verifyProposal as verifyCall } from '#domain/schools/endpoints.ts'
import { listProposals, type SchoolProposal } from '#domain/schools/lists.ts'
import type { Language } from '#entities/define/language.ts'
import { getEntity } from '#entities/index.ts'
import { serveList } from '#server/list/serve-list.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { updateRow, type Writing } from '#server/resource/store.ts'
import { lockSchools } from './merge-schools.ts'
import { isProvisional, matchesName, nameWithNumber } from './pairs.ts'
import { pointersToSchools, referencesOf } from './references.ts'
import { briefSchools } from './schools-sql.ts'
import { retryTransaction } from './with-patience.ts'

type Match = SchoolProposal['matches'][number]

/** From this percentage on, staff must review the match before accepting the proposal. */
const reviewFromPercent = 60
const maxMatches = 3

const school = getEntity('sma-nama')
const hasMatch = sql<boolean>`EXISTS (SELECT FROM school_pairs p
  WHERE (p.low_id = s.id OR p.high_id = s.id) AND NOT p.dismissed)`

/** Lists proposed schools, oldest first. */
export const serveProposals = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listProposals, {
    from: () =>
      db
        .selectFrom('schools as s')
        .leftJoin('accounts as u', 'u.id', 's.proposedBy')
        .where('s.verified', '=', false)
        .where('s.active', '=', true),
    scope: 'everyone',
    filters: {
      cityId: 's.cityId',
      matched: (matched) => (matched === 'true' ? hasMatch : sql<boolean>`NOT ${hasMatch}`),
      q: (q) => matchesName(sql`s.id`, q),
    },
    columns: (rows) =>
      rows.select([
        's.id',
        's.createdAt',
        'u.name as proposedBy',
        sql<number>`(SELECT count(*)::int FROM applicants a WHERE a.school_id = s.id)`.as('applicants'),
      ]),
    sorts: { createdAt: { by: sql`s.created_at`, type: 'timestamptz' }, name: { by: sql`s.name`, type: 'text' } },
    id: sql`s.id`,
    toRows: async (found, { connection, actor }) => {
      const ids = found.map(({ id }) => id)
      const schools = await briefSchools(connection, ids)
      const matches = await matchesOf(connection, ids)
      return withoutProposers(actor, found).map(({ id, ...row }) => {
        const brief = mustGet(schools, id)
        const matchesOfSchool = matches.get(id) ?? []
        return {
          ...row,
          ...brief,
          provisional: isProvisional(brief.npsn),
          matches: matchesOfSchool,
          matchNames: matchesOfSchool.map(nameWithNumber).join(', '),
        }
      })
    },
  })
}

/** Hides the proposer from readers who cannot decide on proposals or do not see all applicants. */
export const withoutProposers = <T extends { proposedBy: string | null }>(actor: Actor, rows: readonly T[]): T[] =>
  actor.permissions.has(verifyCall.access) && seesAll(actor)
    ? [...rows]
    : rows.map((row) => ({ ...row, proposedBy: null }))

async function matchesOf(db: Db, ids: readonly string[]): Promise<Map<string, Match[]>> {
  const { rows } = await sql<Match & { of: string }>`
    SELECT w.id AS of, m.* FROM unnest(${ids}::uuid[]) w (id) CROSS JOIN LATERAL (
      SELECT s.id, s.npsn, s.name, concat_ws(' · ', d.name, s.address) AS place, s.verified, p.similarity FROM school_pairs p
      JOIN schools s ON s.id = CASE WHEN p.low_id = w.id THEN p.high_id ELSE p.low_id END
      LEFT JOIN districts d ON d.id = s.district_id
      WHERE (p.low_id = w.id OR p.high_id = w.id) AND NOT p.dismissed
      ORDER BY s.verified DESC, p.similarity DESC, s.name LIMIT ${maxMatches}) m`.execute(db)
  const found = new Map<string, Match[]>()
  for (const { of, ...match } of rows) found.set(of, [...(found.get(of) ?? []), match])
  return found
}

type Verification = z.output<typeof verifyCall.body>

/** Accepts a proposed school with corrected data, by the rules of master data. */
export async function verifyProposal(db: Db, id: string, input: Verification, by: Writing) {
  const { rows } = await sql<{ verified: boolean }>`SELECT verified FROM schools WHERE id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('school')
  if (rows[0].verified) throw conflict('school_verified')
  await updateRow(db, school, id, { ...input, verified: true }, by)
  return mustGet(await briefSchools(db, [id]), id)
}

/** Accepts proposals unchanged; refuses those with a match that needs review. */
export async function verifyProposals(
  { db, clock }: Services,
  actor: Actor,
  { ids, preview }: { ids: readonly string[]; preview: boolean },
  language: Language,
) {
  return db.transaction().execute(async (tx) => {
    const t = sentences(language)
    const found = await lockSchools(tx, ids)
    const matches = await matchesOf(tx, ids)
    const verified: { id: string; name: string }[] = []
    const refused: { id: string; name: string; reason: string }[] = []
    for (const id of new Set(ids)) {
      const row = found.get(id)
      const match = matches.get(id)?.find(({ similarity }) => similarity >= reviewFromPercent)
      const name = row?.name ?? id
      const reason = !row
        ? t('errors:not_found')
        : row.verified
          ? t('errors:school_verified')
          : match && t('schools:proposals.likelyMatch', { name: match.name, npsn: match.npsn })
      if (reason) refused.push({ id, name, reason })
      else verified.push({ id, name })
    }
    if (preview) return { verified, refused }
    const now = clock.now()
    for (const { id } of verified) {
      const before = mustGet(found, id)
      await sql`UPDATE schools SET verified = true, version = version + 1, updated_at = ${now},
        updated_by = ${actor.accountId || null} WHERE id = ${id}`.execute(tx)
      const after = { ...before, verified: true, version: before.version + 1 }
      await recordAudit(tx, actor, { action: 'school.verify', on: { [school.slug]: id }, before, after })
    }
    return { verified, refused }
  })
}

type Rejection = z.output<typeof rejectCall.body>

/** Deletes a proposed school and asks its applicants to choose again. */
export async function rejectProposal(
  services: Services,
  actor: Actor,
  id: string,
  { version, reason }: Rejection,
  language: Language,
) {
  return retryTransaction(services.db, async (tx) => {
    const row = (await lockSchools(tx, [id])).get(id)
    if (!row) throw notFound('school')
    if (row.verified) throw conflict('school_verified')
    if (row.version !== version) throw conflict('stale_version')
    const now = services.clock.now()
    const { rows: affected } = await sql<{ accountId: string }>`
      UPDATE applicants SET school_id = NULL, version = version + 1, updated_at = ${now}
      WHERE school_id = ${id} RETURNING account_id`.execute(tx)
    const pointers = await pointersToSchools(tx)
    const others = (await referencesOf(tx, [id], language)).get(id)
    if (pointers.length > 0 && others)
      throw conflict('in_use_by', { users: others.map(({ what, count }) => `${count} ${what}`).join(', ') })
    await sql`DELETE FROM schools WHERE id = ${id}`.execute(tx)
    // The proposer may have chosen another school meanwhile, so only the school's current applicants are notified.
    for (const { accountId } of affected)
      await notify(
        { tx, services, now: services.clock.now() },
        {
          accountId,
          event: 'school-rejected',
          params: { school: row.name, reason },
          link: '/account/pendidikan-terakhir',
        },
      )
    await recordAudit(tx, actor, {
      action: 'school.reject',
      on: { [school.slug]: id },
      before: row,
      after: { asked: affected.length },
      reason,
    })
    return { asked: affected.length }
  })
}
