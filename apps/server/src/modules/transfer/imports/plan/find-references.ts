import { sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import { columnName } from '#entities/define/entity.ts'
import { codeFieldOf } from '#entities/define/row.ts'
import { table } from '#server/list/row-titles.ts'
import type { Fault } from '#server/modules/transfer/imports/read-cell.ts'
import type { Db } from '#server/platform/database/database.ts'
import { column, referenceTitleSql, titleSql } from '#server/resource/columns.ts'
import { findFormerCodes } from './former-codes.ts'

/** Rows that a name or code may refer to. */
type Candidate = {
  id: string
  code: string | null
  title: string
  active: boolean
  above: string | null
  aboveTitle: string | null
}

export type Found = { id: string; active: boolean } | { fault: Fault }

const maxCachedNames = 50_000
const maxNamedCodes = 3
/** If a code is not found and there are at most this many codes, the problem lists them all. */
const maxListedCodes = 12

export type Finder = {
  /** Looks up new texts in one statement. */
  prepare(texts: Iterable<string>): Promise<void>
  /** `above` narrows names to rows below a parent, for example to the districts of a city. */
  find(text: string, above?: { ids: ReadonlySet<string> } | undefined): Found
}

/** Finds rows of an entity by code, name or both (`FT · Fakultas Teknik`), and caches them for later batches. */
export function makeFinder(db: Db, entity: Entity): Finder {
  const candidatesByName = new Map<string, Candidate[]>()
  const codeKey = codeFieldOf(entity)
  const field = entity.parent?.field
  const aboveTarget = field ? entity.fields[field] : undefined
  const code = codeKey ? column(codeKey) : sql`NULL::text`
  const above = field ? sql`${sql.raw(`t.${columnName(field)}`)}::text` : sql`NULL::text`
  const aboveTitle =
    field && aboveTarget?.kind === 'reference' ? referenceTitleSql(field, aboveTarget.to) : sql`NULL::text`

  let codes: string[] | undefined
  /** All active codes, if they are few and not limited by role. */
  async function listCodes(): Promise<string[]> {
    if (!codeKey || entity.scope) return []
    const { rows } = await sql<{ code: string }>`
      SELECT ${code} AS code FROM ${table(entity)} t WHERE t.active ORDER BY 1 LIMIT ${maxListedCodes + 1}`.execute(db)
    return rows.length > maxListedCodes ? [] : rows.map((row) => row.code)
  }

  const namesOf = (text: string) => {
    const name = text.toLowerCase()
    const parts = name.split(/ · | - /)
    return parts.length > 1 ? [name, parts[0]!.trim()] : [name]
  }

  return {
    async prepare(texts) {
      const newNames = [...new Set([...texts].flatMap(namesOf))].filter((name) => !candidatesByName.has(name))
      if (newNames.length === 0) return
      if (candidatesByName.size > maxCachedNames) candidatesByName.clear()
      for (const name of newNames) candidatesByName.set(name, [])
      const merged = await findFormerCodes(db, entity, newNames)
      const { rows } = await sql<Candidate>`
        SELECT t.id::text AS id, ${code} AS code, ${titleSql(entity)} AS title, t.active, ${above} AS above,
          ${aboveTitle} AS above_title
        FROM ${table(entity)} t
        WHERE ${codeKey ? sql`lower(${column(codeKey)}) = ANY(${newNames}) OR` : sql``} lower(${titleSql(entity)}) = ANY(${newNames})
          ${merged.size > 0 ? sql`OR t.id = ANY(${[...merged.values()]}::uuid[])` : sql``}`.execute(db)
      for (const row of rows)
        for (const name of new Set([row.code?.toLowerCase(), row.title.toLowerCase()]))
          if (name !== undefined && newNames.includes(name)) candidatesByName.get(name)?.push(row)
      // A code from before a merge refers to the remaining row.
      for (const [code, id] of merged) {
        const row = rows.find((one) => one.id === id)
        if (row && row.code?.toLowerCase() !== code) candidatesByName.get(code)?.push({ ...row, code })
      }
      if (newNames.some((name) => candidatesByName.get(name)?.length === 0)) codes = await listCodes()
    },

    find(text, narrowed) {
      const isInside = (row: Candidate) => !narrowed || (row.above !== null && narrowed.ids.has(row.above))
      for (const name of namesOf(text)) {
        const candidates = (candidatesByName.get(name) ?? []).filter(isInside)
        const byCode = candidates.filter((row) => row.code?.toLowerCase() === name)
        const matching = byCode.length > 0 ? byCode : candidates
        const active = matching.filter((row) => row.active)
        const choice = active.length > 0 ? active : matching
        const [first] = choice
        if (first && choice.length === 1) return { id: first.id, active: first.active }
        if (choice.length > 1)
          return {
            fault: {
              key: codeKey ? 'ambiguous_name' : 'ambiguous_name_only',
              params: {
                name: text,
                count: choice.length,
                codes: choice
                  .slice(0, maxNamedCodes)
                  .map((row) => (row.aboveTitle ? `${row.code} (${row.aboveTitle})` : row.code))
                  .join(', '),
                what: entity.label.many,
              },
            },
          }
      }
      const existsElsewhere = narrowed && namesOf(text).some((name) => (candidatesByName.get(name) ?? []).length > 0)
      return {
        fault: {
          key: existsElsewhere ? 'not_found_there' : codes?.length ? 'not_found_among' : 'not_found',
          params: { name: text, what: entity.label.one, ...(codes && { codes: codes.join(', ') }) },
        },
      }
    },
  }
}
