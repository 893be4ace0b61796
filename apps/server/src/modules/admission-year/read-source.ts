import { type RawBuilder, sql } from 'kysely'
import { sectionRules, type YearSection } from '#domain/admission-year/sections.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import { table } from '#server/list/row-titles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { columnsOf, toRow } from '#server/resource/columns.ts'

type Value = string | number | boolean | number[] | string[] | null
export type SourceRow = { id: string; waveId: string | null; title: string; values: Record<string, Value> }
export type Source = {
  sections: Record<YearSection, { rows: SourceRow[]; inactive: number }>
  /** Terms of instalment plans, by plan id. */
  terms: Map<string, TermValues[]>
}
export type TermValues = {
  sortOrder: number
  shareBps: number | null
  amount: number | null
  dueDate: string | null
  dueDays: number | null
}

/** Rows of an entity with their values as in the API, without titles, whose subqueries take time for thousands. */
async function readRows(db: Db, entity: Entity, condition: RawBuilder<unknown>, order: string) {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${columnsOf(entity, { withTitles: false })} FROM ${table(entity)} t WHERE ${condition} ORDER BY ${sql.raw(order)}`.execute(
    db,
  )
  return rows.map(toRow)
}

const valuesOf = (entity: Entity, row: Row) =>
  Object.fromEntries(Object.keys(entity.fields).map((key) => [key, (row[key] ?? null) as Value]))

type Named = Map<string, { name: string; active: boolean }>

const namedSlugs = ['jalur', 'jenjang-pendaftaran', 'program', 'prodi', 'rincian-dana']

async function namesOf(db: Db): Promise<Record<string, Named>> {
  const found = await Promise.all(
    namedSlugs.map(async (slug) => {
      const { rows } = await sql<{ id: string; name: string; active: boolean }>`
        SELECT id, name, active FROM ${table(getEntity(slug))} ORDER BY code`.execute(db)
      return [slug, new Map(rows.map(({ id, ...row }) => [id, row]))] as const
    }),
  )
  return Object.fromEntries(found)
}

/**
 * The active rows of a section, titled by the names they refer to, and the number of inactive ones. A row that refers
 * to an inactive row counts as inactive.
 */
function selectActive(
  entity: Entity,
  names: Record<string, Named>,
  waves: ReadonlySet<string>,
  stored: readonly Row[],
) {
  const references = Object.entries(entity.fields).flatMap(([key, field]) =>
    field.kind === 'reference' && field.to in names ? [[key, names[field.to]!] as const] : [],
  )
  const inUse = (row: Row) =>
    row.active && references.every(([key, referencedRows]) => referencedRows.get(String(row[key]))?.active !== false)
  const titleOf = (row: Row) => {
    const parts = references.map(([key, referencedRows]) => referencedRows.get(String(row[key]))?.name)
    return [...entity.titleFields.map((key) => row[key]), ...parts].filter(Boolean).join(' · ')
  }
  const places = references.map(
    ([, referencedRows]) => new Map([...referencedRows.keys()].map((id, index) => [id, index + 1])),
  )
  const orderOf = (row: Row) =>
    references.map(([key], index) => String(places[index]!.get(String(row[key])) ?? 0).padStart(5, '0')).join()
  const rows = stored
    .filter(inUse)
    .map((row) => ({
      id: row.id,
      waveId: waves.has(String(row.waveId)) ? String(row.waveId) : null,
      title: titleOf(row),
      values: valuesOf(entity, row),
      order: orderOf(row),
    }))
    .toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ order: _, ...row }) => row)
  return { rows, inactive: stored.length - rows.length }
}

/** The active waves of an academic year and all rows that can be copied with them. */
export async function readSource(db: Db, academicYear: string): Promise<Source> {
  const names = await namesOf(db)
  const periode = getEntity('periode')
  const stored = await readRows(db, periode, sql`t.academic_year = ${academicYear}`, 't.opens_at, t.code')
  const active = stored.filter((wave) => wave.active)
  const waves = active.map((wave) => ({
    id: wave.id,
    waveId: wave.id,
    title: String(wave.name),
    values: valuesOf(periode, wave),
  }))
  const ids = new Set(waves.map(({ id }) => id))
  const places = new Map([...ids].map((id, index) => [id, index]))
  const sections = { waves: { rows: waves, inactive: stored.length - active.length } } as Source['sections']
  for (const [key, rules] of Object.entries(sectionRules) as [YearSection, { entity: string }][]) {
    if (key === 'waves') continue
    const entity = getEntity(rules.entity)
    const [condition, order] =
      key === 'discounts'
        ? [overlapping(stored), 't.code']
        : [sql`t.wave_id = ANY(${[...ids]}::uuid[])`, key === 'testSessions' ? 't.date' : 't.id']
    const found = ids.size === 0 ? [] : await readRows(db, entity, condition, order)
    const selected = selectActive(entity, names, ids, found)
    // Sorts by wave first; within a wave the order of `selectActive` stays.
    selected.rows = selected.rows.toSorted((a, b) => (places.get(a.waveId!) ?? 0) - (places.get(b.waveId!) ?? 0))
    sections[key] = selected
  }
  const plans = sections.installmentPlans.rows.map(({ id }) => id)
  return { sections, terms: await termsOf(db, plans) }
}

/** Whether the dates of a discount overlap the year. */
function overlapping(waves: readonly Row[]) {
  const timeOf = (value: unknown) => Date.parse(String(value))
  const from = new Date(Math.min(...waves.map(({ opensAt }) => timeOf(opensAt))))
  const to = new Date(Math.max(...waves.map((wave) => timeOf(wave.confirmationDueAt ?? wave.closesAt))))
  return sql`coalesce(t.valid_from, t.valid_to) IS NOT NULL
    AND coalesce(t.valid_from, '-infinity') <= ${to}::date AND coalesce(t.valid_to, 'infinity') >= ${from}::date`
}

async function termsOf(db: Db, plans: string[]) {
  if (plans.length === 0) return new Map<string, TermValues[]>()
  const rows = await db
    .selectFrom('installmentTerms')
    .select(['planId', 'sortOrder', 'shareBps', 'amount', 'dueDate', 'dueDays'])
    .where('planId', 'in', plans)
    .where('active', '=', true)
    .orderBy('sortOrder')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ planId }) => planId)].map(([id, own]) => [id, own.map(({ planId: _, ...term }) => term)]),
  )
}
