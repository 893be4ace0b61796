import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { Language } from '#entities/define/language.ts'

import { codeKeyOf } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import { table } from '#server/list/row-titles.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { SheetColumn, SheetRow } from '#server/platform/sheets/columns.ts'
import { csvLine, harmlessText, separatorOf } from '#server/platform/sheets/csv-writer.ts'
import { xlsxOf } from '#server/platform/sheets/xlsx-writer.ts'
import { sentences } from '#server/platform/text.ts'
import { column, scopeSql, titleSql } from '#server/resource/columns.ts'
import { fieldOf, type ImportColumn, importColumnsOf, isRequired } from './import-columns.ts'

/** Maximum rows of a referenced list in a template; longer lists have to be searched on screen. */
const maxListedRows = 1000

type Listed = { code: string | null; title: string }

async function listOf(db: Db, actor: Actor, slug: string): Promise<Listed[]> {
  const target = getEntity(slug)
  const code = codeKeyOf(target)
  const { rows } = await sql<Listed>`
    SELECT ${code ? column(code) : sql`NULL::text`} AS code, ${titleSql(target)} AS title FROM ${table(target)} t
    WHERE t.active AND ${scopeSql(target, actor)} ORDER BY 2 LIMIT ${maxListedRows + 1}`.execute(db)
  return rows
}

/** Says which values a field accepts. */
export function describeAllowed(field: Field, part: ImportColumn['part'], language: Language): string {
  const t = sentences(language)
  const choices =
    'choices' in field
      ? Object.values(field.choices)
          .map((label) => label[language])
          .join(', ')
      : ''
  switch (field.kind) {
    case 'text':
    case 'code':
    case 'multiline':
      return [t('transfer:template.upTo', { max: field.max }), 'pattern' in field && field.pattern?.label[language]]
        .filter(Boolean)
        .join('. ')
    case 'integer':
    case 'decimal':
      return field.max === undefined
        ? t('transfer:template.atLeast', { min: field.min ?? 0 })
        : t('transfer:template.between', { min: field.min ?? 0, max: field.max })
    case 'money':
      return t('transfer:template.atLeast', { min: field.min ?? 0 })
    case 'boolean':
      return t('transfer:template.yesNo')
    case 'choice':
      return choices
    case 'multiChoice':
      return t('transfer:template.several', { choices })
    case 'reference': {
      const what = getEntity(field.to).label.many[language]
      return t(part === 'code' ? 'transfer:template.codeOnly' : 'transfer:template.reference', { what })
    }
    case 'multiReference':
      return t('transfer:template.references', { what: getEntity(field.to).label.many[language] })
    default:
      return ''
  }
}

const examples: Partial<Record<Field['kind'], string>> = {
  text: 'Contoh',
  code: 'CONTOH-1',
  multiline: 'Contoh',
  email: 'nama@contoh.ac.id',
  phone: '081234567890',
  decimal: '75,5',
  basisPoints: '25%',
  money: '250000',
  moneyList: '250000; 500000',
  date: '2026-11-27',
  dateTime: '2026-11-27 08:00',
  time: '08:00',
}

function exampleFor(
  field: Field,
  { key, part }: ImportColumn,
  lists: ReadonlyMap<string, Listed[]>,
  language: Language,
): string {
  if (field.kind === 'boolean')
    return sentences(language)(`transfer:template.${field.default === false ? 'no' : 'yes'}`)
  if (field.kind === 'choice' || field.kind === 'multiChoice') return Object.values(field.choices)[0]?.[language] ?? ''
  if (field.kind === 'integer') return String(Math.max(field.min ?? 0, 1))
  if (field.kind === 'reference' || field.kind === 'multiReference') {
    const [firstRow] = lists.get(field.to) ?? []
    return (part === 'code' ? firstRow?.code : firstRow?.title) ?? ''
  }
  if (key === 'npsn') return '20100001'
  return examples[field.kind] ?? ''
}

function explainColumn(
  entity: Entity,
  imported: ImportColumn,
  lists: ReadonlyMap<string, Listed[]>,
  language: Language,
): SheetRow {
  const t = sentences(language)
  const field = fieldOf(entity, imported.fieldKey)
  return {
    column: imported.label[language],
    key: imported.key,
    required: t(`transfer:template.${imported.part === 'value' && isRequired(field) ? 'yes' : 'no'}`),
    kind: t(`transfer:template.kinds.${field.kind}`),
    allowed: describeAllowed(field, imported.part, language),
    example: exampleFor(field, imported, lists, language),
    help: describeHelp(field, language),
  }
}

/** Help text of a field, and what an empty cell means. */
export function describeHelp(field: Field, language: Language): string {
  const t = sentences(language)
  const preset = 'default' in field && field.default !== undefined ? field.default : undefined
  const textOf = (value: unknown) =>
    'choices' in field
      ? field.choices[value as string]?.[language]
      : typeof value === 'boolean'
        ? t(`transfer:template.${value ? 'yes' : 'no'}`)
        : String(value)
  const defaultText = preset === undefined ? undefined : [preset].flat().map(textOf).join(', ')
  const help = field.help?.[language].replace(/[.;]?$/, '.')
  const emptyMeans = defaultText === undefined ? undefined : t('transfer:template.emptyMeans', { value: defaultText })
  return [help, emptyMeans].filter(Boolean).join(' ')
}

const headerOf = (entity: Entity, { label, part, fieldKey }: ImportColumn, language: Language) =>
  `${label[language]}${part === 'value' && isRequired(fieldOf(entity, fieldKey)) ? ' *' : ''}`

async function* streamRows(rows: readonly SheetRow[]) {
  yield* rows
}

/**
 * Builds an empty sheet for an entity: XLSX with columns and lists explained, CSV with technical names and an example.
 */
export async function buildTemplate(
  db: Db,
  actor: Actor,
  entity: Entity,
  format: 'xlsx' | 'csv',
  language: Language,
  timeZone: string,
) {
  const t = sentences(language)
  const columns = importColumnsOf(entity)
  const lists = new Map<string, Listed[]>()
  for (const { fieldKey } of columns) {
    const field = fieldOf(entity, fieldKey)
    if ((field.kind === 'reference' || field.kind === 'multiReference') && !lists.has(field.to))
      lists.set(field.to, await listOf(db, actor, field.to))
  }
  if (format === 'csv') {
    const separator = separatorOf(language)
    const line = (cells: string[]) => csvLine(cells.map(harmlessText), separator)
    return Readable.from(
      [
        '\uFEFF',
        `# ${csvLine(
          columns.map(({ key }) => key),
          separator,
        )}`,
        line(columns.map((imported) => headerOf(entity, imported, language))),
        `# ${line(columns.map((imported) => exampleFor(fieldOf(entity, imported.fieldKey), imported, lists, language)))}`,
      ],
      { objectMode: false },
    )
  }
  const text = (key: string, label: string, width?: number): SheetColumn => ({
    key,
    label,
    kind: 'text',
    ...(width && { width }),
  })
  const word = (key: string, width?: number) => text(key, t(`transfer:template.${key}`), width)
  const listRows = [...lists].flatMap(([slug, rows]) =>
    rows.length > maxListedRows
      ? []
      : rows.map((row): SheetRow => ({ column: getEntity(slug).label.one[language], code: row.code, name: row.title })),
  )
  return xlsxOf(
    [
      {
        name: entity.label.many[language],
        columns: columns.map((imported) => text(imported.key, headerOf(entity, imported, language), 22)),
        rows: streamRows([]),
      },
      {
        name: t('transfer:template.explanation'),
        columns: [
          word('column', 28),
          word('key', 22),
          word('required', 10),
          word('kind', 24),
          word('allowed', 60),
          word('example', 24),
          word('help', 60),
        ],
        rows: streamRows(columns.map((imported) => explainColumn(entity, imported, lists, language))),
      },
      ...(listRows.length > 0
        ? [
            {
              name: t('transfer:template.lists'),
              columns: [word('column', 28), word('code', 18), word('name', 48)],
              rows: streamRows(listRows),
            },
          ]
        : []),
    ],
    timeZone,
  )
}
