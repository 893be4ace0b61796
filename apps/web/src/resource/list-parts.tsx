import type { Entity } from '#entities/define/entity.ts'
import { type FieldValue, filterKeys, type Row, sortKeys } from '#entities/define/row.ts'
import { dateTime } from '#locales/format.ts'
import { OptionTitle } from '../list/row-choice.tsx'
import type { Column, Filter } from '../list/types.ts'
import { StatusDot } from '../ui/status-dot.tsx'
import { FieldCell } from './field-cell.tsx'
import { ReferenceSelect } from './reference-select.tsx'
import { isNumeric, useEntityWords } from './words.ts'

/** Columns and filters as the fields of the entity declare them. */
export function useListParts(entity: Entity): { columns: Column<Row>[]; filters: Filter[] } {
  const { t, labelOf, language } = useEntityWords()
  const sortable = new Set(sortKeys(entity))
  const keys = Object.keys(entity.fields).filter((key) => key !== entity.parent?.field)
  // What names the row comes first, so that it opens the row and stays.
  const first = keys.find((key) => key === entity.titleFields[0]) ?? keys[0]!
  const columns = [first, ...keys.filter((key) => key !== first)].map((key): Column<Row> => {
    const field = entity.fields[key]!
    return {
      key,
      label: labelOf(entity, key),
      cell: (row) => <FieldCell field={field} value={row[key] as FieldValue} title={row.titles[key]} />,
      sort: sortable.has(key),
      numeric: isNumeric(field),
      hidden: !field.list,
    }
  })
  const status = (row: Row) => (
    <StatusDot tone={row.active ? 'done' : 'waiting'} label={t(row.active ? 'active' : 'inactive')} />
  )
  columns.push(
    { key: 'active', label: t('status'), cell: status, sort: true },
    {
      key: 'updatedAt',
      label: t('updated'),
      cell: ({ updatedAt, titles }) => [dateTime(updatedAt, language), titles.updatedBy].filter(Boolean).join(' · '),
      sort: true,
      hidden: true,
    },
  )
  const filters = filterKeys(entity).map((key): Filter => {
    const field = entity.fields[key]!
    const common = { key, label: labelOf(entity, key) }
    if (field.kind === 'boolean') return { ...common, kind: 'boolean' }
    if (field.kind === 'choice')
      return {
        ...common,
        kind: 'choice',
        choices: Object.entries(field.choices).map(([value, label]) => ({ value, label: label[language] })),
      }
    if (field.kind !== 'reference') return { ...common, kind: 'text' }
    return {
      ...common,
      kind: 'custom',
      control: (value, onChange) => (
        <ReferenceSelect
          {...{ to: field.to, value, onChange, label: common.label }}
          size="sm"
          clearable
          comboboxProps={{ withinPortal: false }}
        />
      ),
      chip: (value) => <OptionTitle to={field.to} id={value} />,
    }
  })
  const states = ['true', 'false'].map((value) => ({ value, label: t(value === 'true' ? 'active' : 'inactive') }))
  return {
    columns,
    filters: [{ key: 'active', label: t('status'), kind: 'choice', choices: states, quick: true }, ...filters],
  }
}
