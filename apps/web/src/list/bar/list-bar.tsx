import {
  Button,
  Checkbox,
  Group,
  Pill,
  Popover,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
  VisuallyHidden,
} from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconColumns3, IconFilter, IconSearch } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { longDate } from '#locales/format.ts'
import { type Columns, type ListState, ordersOf } from '#web/list/list-state.ts'
import type { Filter } from '#web/list/types.ts'
import { useLanguage } from '#web/shell/language.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { BarButton } from './bar-button.tsx'

type Props<Row> = {
  list: ListState
  filters: readonly Filter[]
  columns: Columns<Row>
  searchLabel?: string
  noSearch?: boolean
  searchRef: RefObject<HTMLInputElement | null>
  /** Saved views and exports. */
  children?: ReactNode
}

/** Search, filters and columns; active filters appear below as chips. */
export function ListBar<Row>({ list, filters, columns, searchLabel, noSearch, searchRef, children }: Props<Row>) {
  const { t } = useTranslation('list')
  const panel = filters.filter(({ quick, kind }) => !quick && kind !== 'fixed')
  return (
    <Stack gap="xs" px="md" pb="sm" pt={4} className="no-print">
      <Group gap="sm" wrap="wrap">
        {!noSearch && <Search list={list} label={searchLabel ?? t('search')} inputRef={searchRef} />}
        {filters
          .filter(({ quick }) => quick)
          .map((filter) => (
            <QuickFilter key={filter.key} filter={filter} list={list} />
          ))}
        <Order list={list} columns={columns} />
        <Group gap="xs" ml="auto">
          {panel.length > 0 && (
            <Popover position="bottom-end" width={320} trapFocus shadow="md" withinPortal={false}>
              <Popover.Target>
                <BarButton icon={<IconFilter size={16} aria-hidden="true" />} label={t('filters')} />
              </Popover.Target>
              <Popover.Dropdown>
                <Stack gap="sm">
                  {panel.map((filter) => (
                    <FilterControl key={filter.key} filter={filter} list={list} />
                  ))}
                </Stack>
              </Popover.Dropdown>
            </Popover>
          )}
          <ColumnChooser columns={columns} />
          {children}
        </Group>
      </Group>
      {(list.narrowed || filters.some(({ inForce }) => inForce)) && <Chips list={list} filters={filters} />}
    </Stack>
  )
}

function Search({
  list,
  label,
  inputRef,
}: {
  list: ListState
  label: string
  inputRef: RefObject<HTMLInputElement | null>
}) {
  const minLength = navigationConstants.searchMinimumLength
  const [typedText, setTyped] = useState(list.q)
  const search = useDebouncedCallback(
    (q: string) => list.set({ q: q.trim().length >= minLength ? q.trim() : null }),
    250,
  )
  useEffect(
    () =>
      setTyped((current) =>
        current.trim() === list.q || (list.q === '' && current.trim().length < minLength) ? current : list.q,
      ),
    [list.q],
  )
  return (
    <TextInput
      ref={inputRef}
      type="search"
      size="sm"
      style={{ flex: '1 1 16rem' }}
      maw="32rem"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={typedText}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}

/** Select for the order, because cards have no column headings to sort by. */
function Order<Row>({ list, columns }: { list: ListState; columns: Columns<Row> }) {
  const { t } = useTranslation('list')
  const data = columns.all.flatMap((column) =>
    ordersOf(column).map((value = '', index) => ({ value, label: `${column.label} ${index === 0 ? '↑' : '↓'}` })),
  )
  if (data.length === 0) return null
  return (
    <Select
      hiddenFrom="sm"
      size="sm"
      style={{ flex: '1 1 14rem' }}
      aria-label={t('order')}
      data={data}
      value={data.some(({ value }) => value === list.sort) ? list.sort : null}
      placeholder={t('order')}
      allowDeselect={false}
      onChange={(sort) => list.set({ sort })}
    />
  )
}

function useChoicesOf(filter: Filter) {
  const common = useTranslation('common').t
  if (filter.kind === 'choice') return filter.choices
  return [
    { value: 'true', label: common('yes') },
    { value: 'false', label: common('no') },
  ]
}

/** Choices shown side by side on a phone; more would fill its screen before the first row. */
const maxPhoneSegments = 4

function QuickFilter({ filter, list }: { filter: Filter; list: ListState }) {
  const { t } = useTranslation('list')
  const choices = useChoicesOf(filter)
  const data = [{ value: 'all', label: t('all') }, ...choices]
  const props = {
    size: 'sm',
    'aria-label': filter.label,
    value: list.filters[filter.key] ?? 'all',
    onChange: (value: string | null) => list.set({ [filter.key]: value === 'all' ? null : value }),
  } as const
  if (data.length <= maxPhoneSegments) return <SegmentedControl {...props} data={data} />
  return (
    <>
      <SegmentedControl {...props} data={data} visibleFrom="sm" />
      <Select
        {...props}
        hiddenFrom="sm"
        style={{ flex: '1 1 14rem' }}
        data={[{ value: 'all', label: `${filter.label}: ${t('all')}` }, ...choices]}
        allowDeselect={false}
      />
    </>
  )
}

function FilterControl({ filter, list }: { filter: Filter; list: ListState }) {
  const { t } = useTranslation('list')
  const choices = useChoicesOf(filter)
  const value = list.filters[filter.key] ?? null
  const onChange = (next: string | null) => list.set({ [filter.key]: next || null })
  if (filter.kind === 'custom') return <>{filter.control(value, onChange)}</>
  if (filter.kind === 'date')
    return (
      <DatePickerInput
        size="sm"
        label={filter.label}
        value={value}
        onChange={onChange}
        clearable
        clearButtonProps={{ 'aria-label': t('clear') }}
        popoverProps={{ withinPortal: false }}
      />
    )
  if (filter.kind === 'text')
    return (
      <TextInput
        size="sm"
        label={filter.label}
        defaultValue={value ?? ''}
        onBlur={(event) => onChange(event.currentTarget.value.trim())}
        onKeyDown={(event) => event.key === 'Enter' && onChange(event.currentTarget.value.trim())}
      />
    )
  return (
    <Select
      size="sm"
      label={filter.label}
      placeholder={t('any')}
      data={choices as { value: string; label: string }[]}
      value={value ?? filter.inForce ?? null}
      onChange={onChange}
      clearable={value !== null || !filter.inForce}
      searchable={choices.length > 8}
      openOnFocus={false}
      clearButtonProps={{ 'aria-label': t('clear') }}
      comboboxProps={{ withinPortal: false }}
    />
  )
}

function Chips({ list, filters }: { list: ListState; filters: readonly Filter[] }) {
  const { t } = useTranslation('list')
  return (
    <Group gap="xs">
      {list.q && (
        <Chip name={t('searchFor', { q: list.q })} onRemove={() => list.set({ q: null })}>
          {t('searchFor', { q: list.q })}
        </Chip>
      )}
      {filters.map((filter) => {
        const chosenValue = list.filters[filter.key]
        const value = chosenValue ?? filter.inForce
        if (!value) return null
        const onRemove = chosenValue ? () => list.set({ [filter.key]: null }) : undefined
        return (
          <Chip key={filter.key} name={filter.label} onRemove={onRemove}>
            <ChipText filter={filter} value={value} />
          </Chip>
        )
      })}
      {list.narrowed && (
        <Button variant="subtle" size="compact-sm" onClick={list.clear}>
          {t('clearAll')}
        </Button>
      )}
    </Group>
  )
}

type ChipProps = { name: string; onRemove: (() => void) | undefined; children: ReactNode }

function Chip({ name, onRemove, children }: ChipProps) {
  const { t } = useTranslation('list')
  return (
    <Pill
      size="md"
      bd="1px solid var(--pmb-line)"
      withRemoveButton={onRemove !== undefined}
      {...(onRemove && { onRemove })}
      removeButtonProps={{ 'aria-label': t('removeFilter', { name }), 'aria-hidden': false, tabIndex: 0 }}
    >
      {children}
    </Pill>
  )
}

export function ChipText({ filter, value }: { filter: Filter; value: string }) {
  const language = useLanguage()
  const choices = useChoicesOf(filter)
  const text =
    filter.kind === 'custom'
      ? filter.chip(value)
      : filter.kind === 'date'
        ? longDate(value, language)
        : filter.kind === 'text' || filter.kind === 'fixed'
          ? value
          : (choices.find((choice) => choice.value === value)?.label ?? value)
  return (
    <>
      {filter.label}: {text}
    </>
  )
}

function ColumnChooser<Row>({ columns }: { columns: Columns<Row> }) {
  const { t } = useTranslation('list')
  const [, ...hideableColumns] = columns.all
  if (hideableColumns.length < 2) return null
  return (
    <Popover position="bottom-end" width={260} trapFocus shadow="md" withinPortal={false}>
      <Popover.Target>
        <BarButton visibleFrom="sm" icon={<IconColumns3 size={16} aria-hidden="true" />} label={t('columns')} />
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Stack gap={10}>
          <VisuallyHidden>{t('columns')}</VisuallyHidden>
          {hideableColumns.map(({ key, label }) => (
            <Checkbox
              key={key}
              size="sm"
              label={label}
              checked={columns.keys.includes(key)}
              onChange={(event) =>
                columns.choose(
                  event.currentTarget.checked
                    ? [...columns.keys, key]
                    : columns.keys.filter((visibleKey) => visibleKey !== key),
                )
              }
            />
          ))}
          <Button variant="subtle" size="compact-sm" onClick={columns.reset}>
            {t('usualColumns')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
