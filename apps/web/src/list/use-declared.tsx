import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AnyList,
  columnWord,
  filterWord,
  type ListColumn,
  type ListFilter,
  type RowOf,
  type SumOf,
  type ValueWords,
  type Word,
} from '#domain/list.ts'
import { percent, wholeNumber } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { useLanguage } from '#web/shell/language.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { Money, SenMoney } from '#web/ui/text/money.tsx'
import { OptionTitle, RowChoice } from './bar/row-choice.tsx'
import type { Column, DeclaredProps, Filter, FilterControl, ListProps } from './types.ts'

const none = '—'
const numeric = new Set<ListColumn['kind']>(['number', 'money', 'sen', 'percent'])

const namespaceOf = (word: Word | ValueWords | undefined) => (typeof word === 'string' ? [word.split(':')[0]!] : [])

/** Locale namespaces a declaration takes its texts from. */
const namespacesOf = ({ words, columns, filters }: AnyList) => [
  ...new Set([
    'list',
    'common',
    ...[words.title, words.columns, words.filters].flatMap(namespaceOf),
    ...Object.values<ListColumn>(columns).flatMap((column) =>
      [column.word, column.words, column.absent].flatMap(namespaceOf),
    ),
    ...Object.values<ListFilter>(filters).flatMap((filter) =>
      [filter.word, 'values' in filter ? filter.words : undefined].flatMap(namespaceOf),
    ),
  ]),
]

function useWords(list: AnyList) {
  const { t, i18n } = useTranslation(namespacesOf(list))
  const say = t as unknown as (key: string) => string
  const language = useLanguage()
  return {
    say,
    read: (word: Word) => (typeof word === 'string' ? say(word) : word[language]),
    readValue: (words: ValueWords, value: unknown) => {
      if (typeof words !== 'string') return words[String(value)]?.[language] ?? String(value)
      return i18n.exists(`${words}.${value}`) ? say(`${words}.${value}`) : String(value)
    },
  }
}

type Words = ReturnType<typeof useWords>

function idOf(row: unknown): string {
  const { id } = row as { id?: unknown }
  // Without an id, one click would select all rows.
  if (id === undefined) throw new Error('the rows of this list have no id: say its rowId')
  return String(id)
}

function plainCell(column: ListColumn, value: unknown, { say, read, readValue }: Words): ReactNode {
  const { kind, words, absent, dayOnly } = column
  if (value === null || value === undefined || value === '') return absent ? read(absent) : none
  if (words) return readValue(words, value)
  if (kind === 'money') return <Money amount={value as number} />
  if (kind === 'sen') return <SenMoney amountSen={value as number} />
  if (kind === 'date' || dayOnly) return <DateText value={value as string} as="short" />
  if (kind === 'dateTime')
    return (
      <>
        <DateText value={value as string} as="short" />, <DateText value={value as string} as="time" />
      </>
    )
  if (kind === 'number') return wholeNumber(value as number)
  if (kind === 'percent') return percent(value as number)
  if (kind === 'yesNo') return say(value === true ? 'common:yes' : 'common:no')
  return String(value)
}

/** Control for a declared filter; an id or text filter needs options from the page. */
function controlOf(filter: ListFilter, label: string, { readValue }: Words): FilterControl | undefined {
  if ('values' in filter)
    return {
      kind: 'choice',
      choices: filter.values.map((value) => ({ value, label: readValue(filter.words, value) })),
    }
  if ('of' in filter)
    return {
      kind: 'custom',
      control: (value, onChange) => (
        <RowChoice
          {...{ to: filter.of, value, onChange, label }}
          size="sm"
          clearable
          comboboxProps={{ withinPortal: false }}
        />
      ),
      chip: (value) => <OptionTitle to={filter.of} id={value} />,
    }
  if (filter.kind === 'day') return { kind: 'date' }
  if (filter.kind === 'yesNo') return { kind: 'boolean' }
  return filter.kind === 'text' ? { kind: 'text' } : undefined
}

/** Columns, filters and calls of a declared list, limited to the reader's permissions. */
export function useDeclared<L extends AnyList>(props: DeclaredProps<L>): ListProps<RowOf<L>> {
  const { list, cells = {}, controls = {}, lead, summary, ...rowProps } = props
  const { may } = useSession()
  const words = useWords(list)
  type Row = RowOf<L>
  const customCells = cells as Record<string, ((row: Row) => ReactNode) | undefined>
  const columns = Object.entries<ListColumn>(list.columns)
    .filter(([, { right }]) => !right || may(right))
    .map(([key, column]): Column<Row> => {
      return {
        key,
        label: words.read(columnWord(list, key)),
        cell: customCells[key] ?? ((row) => plainCell(column, (row as Record<string, unknown>)[key], words)),
        sort: column.sort !== undefined && (!column.sortRight || may(column.sortRight)),
        numeric: numeric.has(column.kind),
        hidden: column.hidden ?? false,
      }
    })
  const filters = Object.entries<ListFilter>(list.filters).map(([key, filter]): Filter => {
    const label = words.read(filterWord(list, key))
    const control = (controls as Record<string, FilterControl | undefined>)[key] ?? controlOf(filter, label, words)
    return { key, label, quick: filter.quick ?? false, ...(control ?? { kind: 'fixed' }) }
  })
  return {
    ...rowProps,
    name: list.name,
    endpoint: list,
    columns,
    filters,
    defaultSort: list.order,
    noSearch: list.unsearchable,
    // The server exports only its own rows.
    ...(!rowProps.rows && { exportPath: pathOf(list.file.path, rowProps.params) }),
    rowId: props.rowId ?? idOf,
    ...(lead !== undefined && { summary: lead }),
    ...(summary && {
      summary: ({ total, total_is_estimate: isEstimate, sums }) =>
        sums != null && total !== null && summary({ total, isEstimate, sums: sums as Record<SumOf<L>, number> }),
    }),
  }
}
