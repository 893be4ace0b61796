import type { Readable } from 'node:stream'
import { calendarOf } from '#domain/calendar.ts'
import { sheetNameOf, workbookSheets } from '#domain/workbook/sheets.ts'
import { maxWorkbookRows } from '#domain/workbook/status.ts'
import { declaredField, type Entity } from '#entities/define/entity.ts'
import type { Language } from '#entities/define/language.ts'
import { codeFieldOf } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import { describeAllowed, describeHelp } from '#server/modules/transfer/imports/template.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'
import { columnLetter, type SheetColumn, type SheetRow } from '#server/platform/sheets/columns.ts'
import { type XlsxSheet, xlsxOf } from '#server/platform/sheets/xlsx-writer.ts'
import { sentences } from '#server/platform/text.ts'
import { headingOf, identityOf, markHeading, type WorkbookColumn, workbookColumnsOf } from './columns.ts'
import { exampleRows } from './examples.ts'
import { cellOf, findPresentRows, yesOrNo } from './present-rows.ts'

/** Last row that drop-down lists of another sheet's codes cover. */
const lastListed = 2000
/** First row of data, below the headings and their explanations. */
const firstRow = 3

type Lists = Map<string, string[]>

type Options = { language: Language; content: 'empty' | 'data'; madeAt?: Date }

/** The workbook: instructions, a sheet per entity with examples or the current data, and the allowed values. */
export async function makeWorkbook(db: Db, { language, content, madeAt }: Options): Promise<Readable> {
  const t = sentences(language)
  const { timeZone } = await getSettings(db)
  const present = content === 'data' ? await findPresentRows(db, language) : new Map<string, SheetRow[]>()
  /** Allowed values by heading; each heading is a column on the sheet of lists. */
  const lists: Lists = new Map()
  const sheets = workbookSheets.map((entity) =>
    sheetOf(entity, present.get(entity.slug) ?? exampleCells(entity, language, timeZone), language, lists),
  )
  return xlsxOf([instructionsOf(language), ...sheets, listsOf(t('workbook:sheet.lists'), lists)], timeZone, madeAt)
}

function sheetOf(entity: Entity, rows: SheetRow[], language: Language, lists: Lists): XlsxSheet {
  const t = sentences(language)
  const columns = workbookColumnsOf(entity)
  return {
    name: sheetNameOf(entity, language),
    columns: [
      { key: 'mark', label: markHeading[language], kind: 'text', width: 13 },
      ...columns.map(
        (column): SheetColumn => ({
          key: column.key,
          label: headingOf(column, language),
          kind: column.kind,
          width: 24,
        }),
      ),
    ],
    rows: each(rows),
    form: {
      remarks: [t('workbook:sheet.explanation'), ...columns.map((column) => remarkOf(column, language))],
      choices: columns.flatMap((column, index) => {
        const formula = formulaOf(entity, column, language, lists)
        // The mark is the first column, so the index is one higher.
        return formula ? [{ column: index + 1, formula, strict: column.field.kind !== 'reference' }] : []
      }),
    },
  }
}

function remarkOf({ field, required }: WorkbookColumn, language: Language) {
  const t = sentences(language)
  const kind = ['date', 'dateTime', 'time', 'money', 'basisPoints', 'moneyList'].includes(field.kind)
    ? t(`workbook:sheet.format.${field.kind}`)
    : ''
  return [
    required ? t('workbook:sheet.required') : '',
    kind,
    describeAllowed(field, 'value', language),
    describeHelp(field, language),
  ]
    .filter(Boolean)
    .map((part) => part.replace(/[.;]?$/, '.'))
    .join(' ')
}

/** Cells that list a column's values: the choices, or the codes on another sheet. */
function formulaOf(entity: Entity, { field, label }: WorkbookColumn, language: Language, lists: Lists) {
  if (field.kind === 'choice')
    return formulaOfList(
      lists,
      `${entity.label.one[language]}: ${label[language]}`,
      Object.values(field.choices).map((choice) => choice[language]),
      language,
    )
  if (field.kind === 'boolean')
    return formulaOfList(
      lists,
      `${yesOrNo(true, language)}/${yesOrNo(false, language)}`,
      [yesOrNo(true, language), yesOrNo(false, language)],
      language,
    )
  const target = field.kind === 'reference' ? getEntity(field.to) : undefined
  const codeKey = target && workbookSheets.includes(target) ? codeFieldOf(target) : undefined
  if (!target || !codeKey) return undefined
  const letter = columnLetter(1 + workbookColumnsOf(target).findIndex(({ key }) => key === codeKey))
  return `'${sheetNameOf(target, language)}'!$${letter}$${firstRow}:$${letter}$${lastListed}`
}

/** Adds the values as a list and returns its cell range. */
function formulaOfList(lists: Lists, heading: string, values: string[], language: Language) {
  lists.set(heading, values)
  const letter = columnLetter([...lists.keys()].indexOf(heading))
  return `'${sentences(language)('workbook:sheet.lists')}'!$${letter}$2:$${letter}$${values.length + 1}`
}

/** The examples of a sheet, each with the mark that excludes it from reading. */
export function exampleCells(entity: Entity, language: Language, timeZone: string): SheetRow[] {
  const mark = `# ${sentences(language)('workbook:sheet.example')}`
  return (exampleRows[entity.slug] ?? []).map((example) => ({
    mark,
    ...Object.fromEntries(
      workbookColumnsOf(entity).map(({ key, field }) => {
        const value = example[key]
        if (value === undefined) return [key, '']
        if (field.kind === 'boolean') return [key, yesOrNo(value === 'ya', language)]
        if (field.kind === 'choice') return [key, cellOf(field, value, language)]
        return [key, field.kind === 'dateTime' ? calendarOf(timeZone).momentOf(`${value}:00`) : value]
      }),
    ),
  }))
}

function instructionsOf(language: Language): XlsxSheet {
  const t = sentences(language)
  const rules = ['fill', 'example', 'codes', 'choices', 'dates', 'rows', 'nothingDeleted', 'check'] as const
  const ruleRows = rules.map((rule) => ({
    what: '',
    text: t(`workbook:instructions.${rule}`, { rows: maxWorkbookRows }),
  }))
  const sheetRows = workbookSheets.map((entity) => {
    const fields = identityOf(entity).map((key) => declaredField(entity, key).label[language])
    return {
      what: sheetNameOf(entity, language),
      text: t('workbook:instructions.identity', { fields: fields.join(', ') }),
    }
  })
  return {
    name: t('workbook:sheet.instructions'),
    columns: [
      { key: 'what', label: t('workbook:instructions.sheet'), kind: 'text', width: 26 },
      { key: 'text', label: t('workbook:instructions.text'), kind: 'text', width: 110 },
    ],
    rows: each([...ruleRows, ...sheetRows]),
  }
}

function listsOf(name: string, lists: Lists): XlsxSheet {
  const columns = [...lists.keys()].map((label): SheetColumn => ({ key: label, label, kind: 'text', width: 30 }))
  const height = Math.max(...[...lists.values()].map(({ length }) => length))
  const rows = Array.from({ length: height }, (_, index) =>
    Object.fromEntries([...lists].map(([label, values]) => [label, values[index] ?? ''])),
  )
  return { name, columns, rows: each(rows) }
}

async function* each(rows: readonly SheetRow[]) {
  yield* rows
}
