import { type RawBuilder, sql } from 'kysely'
import type { ErrorCode } from '#domain/errors.ts'
import { theOnly } from '#domain/must.ts'
import { columnName, type Entity } from '#entities/define/entity.ts'
import type { Language } from '#entities/define/language.ts'
import { isGiven, problemsOf } from '#entities/define/rules.ts'
import { getEntity } from '#entities/index.ts'
import { table } from '#server/list/row-titles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FieldErrors, invalid } from '#server/platform/errors.ts'
import { column } from './columns.ts'

type Input = Record<string, unknown>

/** Conflicts with other rows: unique values already taken, and references to rows that do not exist. */
export async function problemsWithOthers(db: Db, entity: Entity, row: Input, id?: string): Promise<FieldErrors> {
  const checks: { field: string; code: ErrorCode; wrong: RawBuilder<boolean> }[] = []
  for (const [key, field] of Object.entries(entity.fields)) {
    const value = row[key]
    if (!isGiven(value)) continue
    if (field.unique)
      checks.push({
        field: key,
        code: 'already_exists',
        wrong: sql`EXISTS (SELECT FROM ${table(entity)} t
          WHERE lower(${column(key)}) = lower(${value}) AND t.id IS DISTINCT FROM ${id ?? null}::uuid)`,
      })
    if (field.kind !== 'file' && !('to' in field)) continue
    const target = 'to' in field ? getEntity(field.to) : undefined
    const parentDeclaration =
      'within' in field && field.within && isGiven(row[field.within]) ? target?.parent : undefined
    const inside = parentDeclaration
      ? sql`AND ${column(parentDeclaration.field)} = ${row[(field as { within: string }).within]}`
      : sql``
    checks.push({
      field: key,
      code: 'not_found',
      wrong: sql`EXISTS (SELECT FROM unnest(${[value].flat()}::uuid[]) w (id) WHERE NOT EXISTS (
        SELECT FROM ${target ? table(target) : sql`files`} t WHERE t.id = w.id ${inside}))`,
    })
  }
  if (checks.length === 0) return {}
  const violations = sql.join(checks.map(({ wrong }) => wrong))
  const { wrong } = theOnly((await sql<{ wrong: boolean[] }>`SELECT ARRAY[${violations}] AS wrong`.execute(db)).rows)
  return Object.fromEntries(checks.flatMap(({ field, code }, index) => (wrong[index] ? [[field, code]] : [])))
}

/** Throws 422 with all problems of a row at once. */
export async function refuseProblems(db: Db, entity: Entity, row: Input, language: Language, id?: string) {
  const problems = { ...(await problemsWithOthers(db, entity, row, id)), ...problemsOf(entity, row, language) }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

type DatabaseRefusal = { code?: string; constraint?: string; detail?: string }

const keyOfColumn = (entity: Entity, column: string) =>
  Object.keys(entity.fields).find((key) => columnName(key) === column)

/** Field and error code for a constraint violated in PostgreSQL; undefined if the input did not cause it. */
export function refusalOf(entity: Entity, error: unknown): FieldErrors | undefined {
  const { code, constraint = '', detail } = error as DatabaseRefusal
  const namedConstraint = entity.constraints?.[constraint]
  if (namedConstraint)
    return { [namedConstraint.field]: { code: namedConstraint.code as ErrorCode, params: { detail } } }
  if (code === '23505') {
    const field = keyOfColumn(entity, constraint.replace(`${entity.table}_`, '').replace(/_key$/, ''))
    if (field) return { [field]: 'already_exists' }
    const uniqueField = entity.uniqueTogether?.[0]?.find((key) => key !== entity.parent?.field)
    return uniqueField ? { [uniqueField]: 'combination_exists' } : undefined
  }
  if (code === '23503') {
    const named = keyOfColumn(entity, constraint.replace(`${entity.table}_`, '').replace(/_fkey$/, ''))
    const field = named ?? Object.entries(entity.fields).find(([, { kind }]) => kind === 'multiReference')?.[0]
    return field ? { [field]: 'not_found' } : undefined
  }
  return undefined
}

/** Runs `write`; turns a violated constraint into 422 beside the field. */
export async function explainRefusal<T>(entity: Entity, write: () => Promise<T>) {
  try {
    return await write()
  } catch (error) {
    const refusal = refusalOf(entity, error)
    throw refusal ? invalid(refusal) : error
  }
}
