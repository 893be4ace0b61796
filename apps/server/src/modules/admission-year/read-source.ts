import { type Kysely, sql } from 'kysely'
import { sectionRules, type YearSection } from '#domain/admission-year/sections.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import { getEntity } from '#entities/index.ts'
import type { Db } from '#server/platform/database/database.ts'

type Value = string | number | boolean | number[] | string[] | null
export type SourceRow = { id: string; waveId: string | null; title: string; values: Record<string, Value> }
export type Source = {
  waves: SourceRow[]
  sections: Record<YearSection, { rows: SourceRow[]; inactive: number }>
  /** Terms of instalment plans, by plan id. */
  terms: Map<string, TermValues[]>
  /** Ids of the tests in a session, by session id. */
  tests: Map<string, string[]>
}
export type TermValues = {
  sortOrder: number
  shareBps: number | null
  amount: number | null
  dueDate: string | null
  dueDays: number | null
}

/** Tables are named at run time, so the generated row types do not apply. */
const untyped = (db: Db) => db as unknown as Kysely<any>

/** Formats a stored value like the API. */
function toApiValue({ kind }: Field, value: unknown): Value {
  if (value instanceof Date) return value.toISOString()
  // The driver returns lists of bigint as text.
  if (kind === 'moneyList' && Array.isArray(value)) return value.map(Number)
  if (kind === 'time' && typeof value === 'string') return value.slice(0, 5)
  return (value ?? null) as Value
}

const valuesOf = (entity: Entity, row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(entity.fields)
      .filter(([, { kind }]) => kind !== 'multiReference')
      .map(([key, field]) => [key, toApiValue(field, row[key])]),
  )

type Named = Map<string, { name: string; active: boolean }>

async function namesOf(db: Db): Promise<Record<string, Named>> {
  const tables = {
    jalur: 'tracks',
    'jenjang-pendaftaran': 'entryLevels',
    program: 'classProgrammes',
    prodi: 'studyProgrammes',
    'rincian-dana': 'feeComponents',
  } as const
  const found = await Promise.all(
    Object.entries(tables).map(async ([slug, table]) => {
      const rows = await untyped(db)
        .selectFrom(table)
        .select(['id', 'name', 'active', 'code'])
        .orderBy('code')
        .execute()
      return [slug, new Map(rows.map((row) => [row.id, { name: row.name, active: row.active }]))] as const
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
  stored: Record<string, any>[],
) {
  const references = Object.entries(entity.fields).flatMap(([key, field]) => {
    const rows = field.kind === 'reference' ? names[field.to] : undefined
    return rows ? [{ key, rows, places: new Map([...rows.keys()].map((id, index) => [id, index + 1])) }] : []
  })
  const inUse = (row: Record<string, any>) =>
    row.active && references.every(({ key, rows }) => row[key] === null || rows.get(row[key])?.active !== false)
  const titleOf = (row: Record<string, any>) => {
    const parts = references.map(({ key, rows }) => (row[key] ? rows.get(row[key])?.name : undefined))
    return [...entity.titleFields.map((key) => row[key]), ...parts].filter(Boolean).join(' · ')
  }
  const orderOf = (row: Record<string, any>) =>
    references.map(({ key, places }) => String(places.get(row[key]) ?? 0).padStart(5, '0')).join()
  const rows = stored
    .filter(inUse)
    .map((row) => ({
      id: row.id as string,
      waveId: waves.has(row.waveId) ? (row.waveId as string) : null,
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
  const stored = await db
    .selectFrom('waves')
    .selectAll()
    .where('academicYear', '=', academicYear)
    .orderBy('opensAt')
    .orderBy('code')
    .execute()
  const active = stored.filter((wave) => wave.active)
  const waves = active.map((wave) => ({
    id: wave.id,
    waveId: wave.id,
    title: wave.name,
    values: valuesOf(periode, wave),
  }))
  const ids = new Set(waves.map(({ id }) => id))
  const order = new Map<string | null, number>([...ids].map((id, index) => [id, index]))
  const sections = { waves: { rows: waves, inactive: stored.length - active.length } } as Source['sections']
  for (const [key, rules] of Object.entries(sectionRules) as [YearSection, { entity: string }][]) {
    if (key === 'waves') continue
    const entity = getEntity(rules.entity)
    const found =
      ids.size === 0
        ? []
        : key === 'discounts'
          ? await discountsOf(db, stored)
          : await untyped(db)
              .selectFrom(entity.table)
              .selectAll()
              .where('waveId', 'in', [...ids])
              .orderBy(key === 'testSessions' ? 'date' : 'id')
              .execute()
    const selected = selectActive(entity, names, ids, found)
    // Sorts by wave first; within a wave the order of `selectActive` stays.
    selected.rows = selected.rows.toSorted((a, b) => (order.get(a.waveId) ?? 0) - (order.get(b.waveId) ?? 0))
    sections[key] = selected
  }
  return {
    waves,
    sections,
    terms: await termsOf(
      db,
      sections.installmentPlans.rows.map(({ id }) => id),
    ),
    tests: await testsOf(
      db,
      sections.testSessions.rows.map(({ id }) => id),
    ),
  }
}

/** Discounts whose dates overlap the year. */
const discountsOf = (db: Db, waves: { opensAt: Date; closesAt: Date; confirmationDueAt: Date | null }[]) => {
  const from = new Date(Math.min(...waves.map(({ opensAt }) => opensAt.getTime())))
  const to = new Date(Math.max(...waves.map((wave) => (wave.confirmationDueAt ?? wave.closesAt).getTime())))
  return db
    .selectFrom('discounts')
    .selectAll()
    .where((eb) => eb.or([eb('validFrom', 'is not', null), eb('validTo', 'is not', null)]))
    .where(
      sql<boolean>`coalesce(valid_from, '-infinity') <= ${to}::date AND coalesce(valid_to, 'infinity') >= ${from}::date`,
    )
    .orderBy('code')
    .execute()
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

async function testsOf(db: Db, sessions: string[]) {
  if (sessions.length === 0) return new Map<string, string[]>()
  const rows = await db
    .selectFrom('testSessionTests')
    .select(['testSessionId', 'testId'])
    .where('testSessionId', 'in', sessions)
    .orderBy('testId')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.testSessionId)].map(([id, own]) => [id, own.map((row) => row.testId)]),
  )
}
