import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import { entities, getEntity } from '#entities/index.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

const entityActions = ['view', 'create', 'update', 'delete'] as const

/** Permissions of all entities. */
export const entityPermissions: readonly string[] = [
  ...new Set(entities.flatMap((entity) => entityActions.map((action) => permissionOf(entity, action)))),
]

/** Creates rows of any master entity through the API. */
export function masterRows(t: TestApp, staff: TestActor) {
  /** Id of a row to reference; creates one if the table is empty. */
  async function anyRow(slug: string): Promise<string> {
    const entity = getEntity(slug)
    const { rows } = await sql<{ id: string }>`SELECT id FROM ${sql.table(entity.table)} LIMIT 1`.execute(t.db)
    return rows[0]?.id ?? (await create(entity)).id
  }

  let counter = 0
  let provinces = 36
  let terms = 0
  /** Values for fields whose kind alone does not give a valid one. */
  const valuesOfField: Record<string, (n: number) => unknown> = {
    'agama.code': (n) => String(300 + n),
    'jenjang.pddiktiCode': (n) => String(n % 1000),
    'provinsi.code': () => String(++provinces),
    'kota.code': (n) => `${40 + Math.floor(n / 90)}.${10 + (n % 90)}`,
    'kecamatan.code': (n) => `99.${10 + Math.floor(n / 90)}.${10 + (n % 90)}`,
    'kelurahan.code': (n) => `99.99.99.${1000 + n}`,
    'wilayah-feeder.code': (n) => String(900_000 + n),
    'wilayah-feeder.regionCode': (n) => `98.${10 + Math.floor(n / 90)}.${10 + (n % 90)}`,
    'kelurahan.postalCode': () => '12345',
    'sma-nama.npsn': (n) => `9${String(n).padStart(7, '0')}`,
    'periode.academicYear': () => '2027/2028',
    'periode.semesterCode': () => '20271',
    'prodi.npmCode': (n) => String(n),
    'afiliator.bankAccount': (n) => `12345${n}`,
    'cicilan-termin.sortOrder': () => ++terms,
    'sumbangan.minimumAmount': () => 50_000,
    'diskon.feeComponentId': () => null,
  }

  async function sampleOf(entity: Entity, key: string, field: Field, n: number): Promise<unknown> {
    const special = valuesOfField[`${entity.slug}.${key}`]
    if (special) return special(n)
    switch (field.kind) {
      case 'text':
      case 'code':
      case 'multiline':
        return `uji${n}`.slice(0, field.max)
      case 'email':
        return `uji${n}@demo.test`
      case 'phone':
        return '0812-3456-7890'
      case 'integer':
        return Math.min(field.max ?? 1000, Math.max(field.min ?? 0, n % 50))
      case 'decimal':
        return 12.5
      case 'basisPoints':
        return 100
      case 'money':
        return 1_500_000 + n
      case 'moneyList':
        return [100_000, 200_000]
      case 'date':
        return `2027-0${(n % 9) + 1}-10`
      case 'dateTime':
        return '2027-03-01T02:00:00.000Z'
      case 'time':
        return '08:00'
      case 'boolean':
        return true
      case 'choice':
        return Object.keys(field.choices)[0]
      case 'multiChoice':
        return Object.keys(field.choices).slice(0, 2)
      case 'reference':
        return anyRow(field.to)
      case 'multiReference':
        return [await anyRow(field.to)]
      case 'file':
        return null
    }
  }

  async function inputFor(entity: Entity, n = ++counter): Promise<Record<string, unknown>> {
    const input: Record<string, unknown> = {}
    for (const [key, field] of Object.entries(entity.fields))
      if (key !== entity.parent?.field) input[key] = await sampleOf(entity, key, field, n)
    entity.before?.forEach(([, second], index) => {
      const { kind } = entity.fields[second]!
      input[second] = kind === 'time' ? '09:00' : kind === 'date' ? '2028-01-01' : `2027-0${4 + index}-01T02:00:00.000Z`
    })
    for (const group of entity.oneOf ?? []) for (const key of group.slice(1)) input[key] = null
    // A unique combination gets new referenced rows.
    for (const key of entity.uniqueTogether?.[0] ?? []) {
      const field = entity.fields[key]!
      if (field.kind === 'reference' && key !== entity.parent?.field && field.to === 'periode')
        input[key] = (await create(getEntity('periode'))).id
      if (field.kind === 'choice') input[key] = Object.keys(field.choices)[n % Object.keys(field.choices).length]
    }
    return input
  }

  const parents = new Map<string, string>()
  async function baseOf(entity: Entity): Promise<string> {
    if (!entity.parent) return `/master/${entity.slug}`
    const parent = getEntity(entity.parent.slug)
    if (!parents.has(entity.slug)) parents.set(entity.slug, (await create(parent)).id)
    return `/master/${parent.slug}/${parents.get(entity.slug)}/${entity.parent.path}`
  }

  async function create(entity: Entity) {
    const answer = await staff.post(await baseOf(entity), await inputFor(entity))
    expect(answer.statusCode, `${entity.slug}: ${answer.body}`).toBe(201)
    return answer.json().data as { id: string; version: number } & Record<string, unknown>
  }

  return { create, inputFor, baseOf, parents }
}

/** Values of a row that a form may send back. */
export const editableFields = (entity: Entity, row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys(entity.fields)
      .filter((key) => key !== entity.parent?.field)
      .map((key) => [key, row[key]]),
  )
