import { sql } from 'kysely'
import type { z } from 'zod'
import { theOnly } from '#domain/must.ts'
import type { mergeSchools as call, MergeOutcome } from '#domain/schools/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { getEntity } from '#entities/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { explainRefusal } from '#server/resource/refusals.ts'
import { type Moved, moveReferences } from './move-references.ts'
import { nounOf, pointersToSchools } from './references.ts'
import { retryTransaction } from './with-patience.ts'

type Choice = z.output<typeof call.body>
/** A school's row as stored, with keys in snake_case. */
export type StoredSchool = Record<string, unknown> & { id: string; npsn: string; name: string; version: number }

const school = getEntity('sma-nama')
/** Key in `before` under which a merge stores the merged schools' dismissed pairs. */
export const dismissedPairsKey = 'not_one'
const columns = {
  npsn: 'npsn',
  name: 'name',
  schoolTypeId: 'school_type_id',
  status: 'status',
  cityId: 'city_id',
  districtId: 'district_id',
  address: 'address',
  verified: 'verified',
} as const

/** Locks the schools until the transaction ends: waits for saves in progress and makes later saves wait. */
export async function lockSchools(tx: Db, ids: readonly string[]): Promise<Map<string, StoredSchool>> {
  const { rows } = await sql<{ row: StoredSchool }>`
    SELECT to_jsonb(s) AS row FROM schools s WHERE s.id = ANY(${ids}::uuid[]) ORDER BY s.id FOR UPDATE`.execute(tx)
  return new Map(rows.map(({ row }) => [row.id, row]))
}

const sumByTable = (entries: { table: string; count: number }[], language: Language) =>
  [...Map.groupBy(entries, ({ table }) => table)]
    .map(([table, tableEntries]) => ({ table, count: tableEntries.reduce((sum, { count }) => sum + count, 0) }))
    .filter(({ count }) => count > 0)
    .map(({ table, count }) => ({ what: nounOf(table, count, language), count }))

async function writeMerge({ tx, services: { clock }, actor }: Context, choice: Choice, language: Language) {
  const { keepId, fields, versions } = choice
  const mergeIds = [...new Set(choice.mergeIds)]
  const found = await lockSchools(tx, [keepId, ...mergeIds])
  const keep = found.get(keepId)
  if (!keep) throw notFound('school')
  const merged = mergeIds.flatMap((id) => found.get(id) ?? [])
  if (merged.length < mergeIds.length) {
    const missingIds = mergeIds.filter((id) => !found.has(id))
    const { rows } = await sql<{ count: number }>`
      SELECT count(DISTINCT former_id)::int AS count FROM school_aliases
      WHERE school_id = ${keepId} AND former_id = ANY(${missingIds}::uuid[])`.execute(tx)
    if (merged.length > 0 || theOnly(rows).count < missingIds.length) throw conflict('school_gone')
    return outcomeOf(keep, { mergeId: null, already: true, moved: [], aliases: [] }, language)
  }
  for (const row of found.values())
    if (versions[row.id] !== undefined && versions[row.id] !== row.version) throw conflict('stale_version')
  const chosen: Record<string, unknown> = {}
  for (const [field, from] of Object.entries(fields)) {
    const source = found.get(from)
    if (!source) throw invalid({ [`fields.${field}`]: 'invalid_input' })
    const column = columns[field as keyof typeof columns]
    if (source[column] !== keep[column]) chosen[column] = source[column]
  }
  const city = chosen.city_id ?? keep.city_id
  const district = 'district_id' in chosen ? chosen.district_id : keep.district_id
  if (district && !(await isInside(tx, district as string, city as string))) chosen.district_id = null

  const moved: Moved[] = []
  for (const pointer of await pointersToSchools(tx))
    for (const { id } of merged) moved.push(await moveReferences(tx, pointer, id, keepId))

  const { rows: dismissedPairs } = await sql<{ row: Record<string, unknown> }>`
    SELECT to_jsonb(p) AS row FROM school_pairs p
    WHERE p.dismissed AND (p.low_id = ANY(${mergeIds}::uuid[]) OR p.high_id = ANY(${mergeIds}::uuid[]))`.execute(tx)

  const now = clock.now()
  const stored = { ...keep, [dismissedPairsKey]: dismissedPairs.map(({ row }) => row) }
  const { rows } = await sql<{ id: string }>`
    INSERT INTO school_merges (school_id, school_name, merged, before, version_after, moved, merged_by, merged_at)
    VALUES (${keepId}, ${keep.name}, ${JSON.stringify(merged)}, ${JSON.stringify(stored)}, ${keep.version + 1},
      ${JSON.stringify(moved.filter((one) => one.rows.length + one.dropped.length > 0))}, ${actor.accountId || null}, ${now})
    RETURNING id`.execute(tx)
  const mergeId = theOnly(rows).id
  await sql`DELETE FROM schools WHERE id = ANY(${mergeIds}::uuid[])`.execute(tx)

  const npsn = (chosen.npsn as string | undefined) ?? keep.npsn
  const others = [
    ...merged.map((row) => ({ npsn: row.npsn, name: row.name, former: row.id as string | null })),
    ...(npsn === keep.npsn ? [] : [{ npsn: keep.npsn, name: keep.name, former: null }]),
  ]
  for (const { npsn: number, name, former } of others)
    await sql`INSERT INTO school_aliases (school_id, npsn, name, former_id, merge_id)
      VALUES (${keepId}, ${number}, ${name}, ${former}, ${mergeId})`.execute(tx)
  const columnValues = Object.entries(chosen).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`UPDATE schools SET ${sql.join([...columnValues, sql`version = version + 1`, sql`updated_at = ${now}`, sql`updated_by = ${actor.accountId || null}`])}
    WHERE id = ${keepId}`.execute(tx)
  const outcome = outcomeOf(
    { ...keep, ...chosen } as StoredSchool,
    { mergeId, already: false, moved, aliases: others.map((other) => other.npsn).filter((number) => number !== npsn) },
    language,
  )
  const counts = Object.fromEntries(outcome.moved.map(({ what, count }) => [what, count]))
  await recordAudit(tx, actor, {
    action: 'school.merge',
    on: { [school.slug]: keepId },
    before: keep,
    after: { ...keep, ...chosen, merged: merged.map((row) => `${row.npsn} ${row.name}`), moved: counts },
  })
  for (const row of merged)
    await recordAudit(tx, actor, {
      action: 'school.merge',
      on: { [school.slug]: row.id },
      before: row,
      after: { mergedInto: `${npsn} ${String(chosen.name ?? keep.name)}`, schoolId: keepId },
    })
  return outcome
}

async function isInside(tx: Db, districtId: string, cityId: string) {
  const district = await tx.selectFrom('districts').select('cityId').where('id', '=', districtId).executeTakeFirst()
  return district?.cityId === cityId
}

type Facts = { mergeId: string | null; already: boolean; moved: Moved[]; aliases: string[] }

const outcomeOf = (keep: StoredSchool, { moved, ...facts }: Facts, language: Language): MergeOutcome => ({
  ...facts,
  schoolId: keep.id,
  name: keep.name,
  npsn: keep.npsn,
  moved: sumByTable(
    moved.map(({ table, rows }) => ({ table, count: rows.length })),
    language,
  ),
  dropped: sumByTable(
    moved.map(({ table, dropped }) => ({ table, count: dropped.length })),
    language,
  ),
})

/** Merges several schools into one, in one transaction. A repeated call returns `already`. */
export const mergeSchools = (services: Services, actor: Actor, choice: Choice, language: Language) =>
  explainRefusal(school, () =>
    retryTransaction(services.db, (tx) =>
      writeMerge({ tx, services, actor, now: services.clock.now() }, choice, language),
    ),
  )

class OnlyLooking extends Error {
  readonly outcome: MergeOutcome
  constructor(outcome: MergeOutcome) {
    super('the preview of a merge is taken back')
    this.outcome = outcome
  }
}

/** Previews a merge by writing and rolling back, so that counts and conflicts are exact. */
export async function previewMerge(services: Services, actor: Actor, choice: Choice, language: Language) {
  try {
    return await retryTransaction(services.db, async (tx): Promise<MergeOutcome> => {
      throw new OnlyLooking(await writeMerge({ tx, services, actor, now: services.clock.now() }, choice, language))
    })
  } catch (error) {
    if (error instanceof OnlyLooking) return { ...error.outcome, mergeId: null }
    throw error
  }
}
