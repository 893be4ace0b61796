import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { Language, Localized } from '#entities/define/language.ts'
import { codeColumn, codeFieldOf } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import { fieldOf, importColumnsOf, isRequired } from '#server/modules/transfer/imports/import-columns.ts'
import { rowKeysOf } from '#server/modules/transfer/imports/plan/row-keys.ts'
import type { SheetColumnKind } from '#server/platform/sheets/columns.ts'

/** Heading of the first column; a `#` in it marks rows that are not read. */
export const markHeading: Localized = { en: 'Mark', id: 'Tanda' }

export type WorkbookColumn = { key: string; field: Field; label: Localized; required: boolean; kind: SheetColumnKind }

const kinds: Partial<Record<Field['kind'], SheetColumnKind>> = {
  integer: 'number',
  decimal: 'number',
  basisPoints: 'percent',
  money: 'money',
  date: 'date',
  dateTime: 'dateTime',
}

/** Columns of a sheet after the mark: one per field; references by code. Files cannot be imported. */
export const workbookColumnsOf = (entity: Entity): WorkbookColumn[] =>
  importColumnsOf(entity)
    .filter(({ part }) => part === 'value')
    .map(({ key, label }) => {
      const field = fieldOf(entity, key)
      const isCode = field.kind === 'reference' && codeFieldOf(getEntity(field.to)) !== undefined
      return {
        key,
        field,
        label: isCode ? codeColumn(key, field).label : label,
        required: isRequired(field),
        kind: kinds[field.kind] ?? 'text',
      }
    })

/** Fields that identify a row of a sheet. */
export const identityOf = (entity: Entity): readonly string[] => rowKeysOf(entity)[0]!.fields

export const headingOf = ({ label, required }: WorkbookColumn, language: Language) =>
  `${label[language]}${required ? ' *' : ''}`
