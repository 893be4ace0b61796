import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import { filterKeys, type ListQuery, type Row } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import type { Locale } from '#locales/index.ts'
import { table } from '#server/list/row-titles.ts'
import { actorOf } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { SheetColumn, SheetColumnKind, SheetRow } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { type SheetFormat, sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { column, columnsOf, maskSensitive, referenceTitleSql, titleSql, toRow } from '#server/resource/columns.ts'
import { conditionsOf } from '#server/resource/list-query.ts'
import { getRow } from '#server/resource/store.ts'
import { codeKeyOf } from './import-columns.ts'

type ExportQuery = Omit<ListQuery, 'page' | 'per_page'> & { sort: string; format: SheetFormat; columns?: string }

const kinds: Partial<Record<Field['kind'], SheetColumnKind>> = {
  integer: 'number',
  decimal: 'number',
  money: 'money',
  basisPoints: 'percent',
  date: 'date',
  dateTime: 'dateTime',
}
const kindOf = (field: Field): SheetColumnKind =>
  field.kind === 'decimal' && field.percent ? 'percent' : (kinds[field.kind] ?? 'text')

/** Every column a list can be exported with; what a reference points to by its name and, where it has one, its code. */
function columnsFor(entity: Entity, language: Locale, chosen?: readonly string[]): SheetColumn[] {
  const t = sentences(language)
  const columns: SheetColumn[] = []
  const own = chosen ?? [...Object.keys(entity.fields), 'active', 'updatedAt']
  for (const key of own) {
    const field = entity.fields[key]
    if (key === 'active' || key === 'createdAt' || key === 'updatedAt')
      columns.push({ key, label: t(`transfer:columns.${key}`), kind: key === 'active' ? 'text' : 'dateTime' })
    // A remembered choice of columns may name one that is gone.
    else if (field) {
      columns.push({ key, label: field.label[language], kind: kindOf(field) })
      if (field.kind === 'reference' && codeKeyOf(getEntity(field.to)))
        columns.push({
          key: `${key}.code`,
          label: language === 'id' ? `Kode ${field.label.id.toLowerCase()}` : `${field.label.en} code`,
          kind: 'text',
        })
    }
  }
  return columns
}

/** What a cell shows: names instead of ids, words instead of keys, shares instead of hundredths of percents. */
function cellOf(entity: Entity, row: Row, key: string, language: Locale): unknown {
  const value = row[key]
  const t = sentences(language)
  const field = entity.fields[key]
  if (typeof value === 'boolean') return t(value ? 'transfer:template.yes' : 'transfer:template.no')
  if (!field || value === null || value === undefined) return value
  switch (field.kind) {
    case 'reference':
    case 'multiReference':
    case 'file':
      return row.titles[key]
    case 'choice':
      return field.choices[value as string]?.[language] ?? value
    case 'multiChoice':
      return (value as string[]).map((one) => field.choices[one]?.[language] ?? one)
    case 'basisPoints':
      return (value as number) / 10_000
    case 'decimal':
      return field.percent ? (value as number) / 100 : value
    default:
      return value
  }
}

/** Codes of what references point to, a few hundred rows at a time. */
async function addCodes(db: Db, entity: Entity, rows: readonly Row[], sheetRows: SheetRow[], keys: readonly string[]) {
  for (const key of keys) {
    const field = entity.fields[key]
    if (field?.kind !== 'reference') continue
    const target = getEntity(field.to)
    const code = codeKeyOf(target)
    if (!code) continue
    const ids = [...new Set(rows.map((row) => row[key]).filter((id) => typeof id === 'string'))]
    if (ids.length === 0) continue
    const { rows: found } = await sql<{ id: string; code: string }>`
      SELECT t.id::text AS id, ${column(code)} AS code FROM ${table(target)} t WHERE t.id = ANY(${ids}::uuid[])`.execute(
      db,
    )
    const codes = new Map(found.map((one) => [one.id, one.code]))
    for (const [i, row] of rows.entries()) sheetRows[i]![`${key}.code`] = codes.get(row[key] as string)
  }
}

/** The row the exported ones stand below: of the path, or of the filter where all of them are listed. */
const parentOf = (entity: Entity, request: FastifyRequest) =>
  (request.params as { parentId?: string } | undefined)?.parentId ??
  (request.query as Record<string, string | undefined>)[entity.parent?.field ?? '']

const batchSize = 500

async function* sheetRows(
  services: Services,
  entity: Entity,
  request: FastifyRequest,
  columns: readonly SheetColumn[],
) {
  const { db } = services
  const actor = actorOf(request)
  const language = languageOfRequest(request)
  const query = request.query as ExportQuery
  const parentId = parentOf(entity, request)
  const mayEdit = actor.permissions.has(permissionOf(entity, 'update'))
  const conditions = conditionsOf(entity, actor, query, parentId)
  const descending = query.sort.startsWith('-')
  const sortKey = descending ? query.sort.slice(1) : query.sort
  const sortField = entity.fields[sortKey]
  const order = sortField?.kind === 'reference' ? referenceTitleSql(sortKey, sortField.to) : column(sortKey)
  const where = conditions.length > 0 ? sql`WHERE ${sql.join(conditions, sql` AND `)}` : sql``
  const found = readRows(
    db,
    sql`SELECT ${columnsOf(entity)} FROM ${table(entity)} t ${where}
      ORDER BY ${order} ${sql.raw(descending ? 'DESC NULLS LAST' : 'ASC')}, t.id`,
  )
  const keys = columns.map(({ key }) => key)
  const codeKeys = keys.filter((key) => key.endsWith('.code')).map((key) => key.slice(0, -5))

  async function dressed(batch: readonly Row[]) {
    const made = batch.map(
      (row): SheetRow => Object.fromEntries(keys.map((key) => [key, cellOf(entity, row, key, language)])),
    )
    await addCodes(db, entity, batch, made, codeKeys)
    return made
  }
  let batch: Row[] = []
  for await (const stored of found) {
    const row = toRow(stored)
    batch.push(mayEdit ? row : maskSensitive(entity, row))
    if (batch.length < batchSize) continue
    yield* await dressed(batch)
    batch = []
  }
  yield* await dressed(batch)
}

/** The filter as people read it in the register. */
async function filterWords(db: Db, entity: Entity, request: FastifyRequest) {
  const language = languageOfRequest(request)
  const t = sentences(language)
  const query = request.query as ExportQuery & Record<string, string | undefined>
  const parentId = parentOf(entity, request)
  const words: { label: string; value: string }[] = []
  const titleOf = async (slug: string, id: string) => {
    const target = getEntity(slug)
    const { rows } = await sql<{ title: string }>`
      SELECT ${titleSql(target)} AS title FROM ${table(target)} t WHERE t.id = ${id}`.execute(db)
    return rows[0]?.title ?? id
  }
  if (entity.parent && parentId)
    words.push({
      label: getEntity(entity.parent.slug).label.one[language],
      value: await titleOf(entity.parent.slug, parentId),
    })
  if (query.q) words.push({ label: t('transfer:search'), value: query.q })
  if (query.active)
    words.push({
      label: t('transfer:columns.active'),
      value: t(`transfer:template.${query.active === 'true' ? 'yes' : 'no'}`),
    })
  for (const key of filterKeys(entity)) {
    const value = query[key]
    const field = entity.fields[key]!
    if (!value) continue
    const shown =
      field.kind === 'reference'
        ? await titleOf(field.to, value)
        : field.kind === 'choice'
          ? (field.choices[value]?.[language] ?? value)
          : field.kind === 'boolean'
            ? t(`transfer:template.${value === 'true' ? 'yes' : 'no'}`)
            : value
    words.push({ label: field.label[language], value: shown })
  }
  return words
}

/** Sends the rows of a master list that the reader sees with this filter. */
export async function exportEntity(services: Services, entity: Entity, request: FastifyRequest, reply: FastifyReply) {
  const { db } = services
  const language = languageOfRequest(request)
  const query = request.query as ExportQuery
  const parentId = parentOf(entity, request)
  if (entity.parent && parentId)
    await getRow(db, getEntity(entity.parent.slug), { id: parentId, actor: actorOf(request) })
  const columns = columnsFor(
    entity,
    language,
    query.columns?.split(',').filter((key) => key !== ''),
  )
  if (columns.length === 0) throw invalid({ columns: 'invalid_input' })
  return sendExport(services, request, reply, {
    name: entity.slug,
    title: entity.label.many[language],
    format: query.format,
    columns,
    rows: sheetRows(services, entity, request, columns),
    filter: await filterWords(db, entity, request),
  })
}
