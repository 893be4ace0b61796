import { Loader, MultiSelect, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { endpointsOf, type Option } from '#entities/endpoints.ts'
import { getEntity } from '#entities/index.ts'
import { useEndpoint } from '../api/query.ts'
import { useCreateInPlace } from './create-in-place.tsx'
import { useEntityWords } from './words.ts'

type Common = {
  label?: ReactNode
  description?: ReactNode
  error?: ReactNode
  withAsterisk?: boolean
  name?: string
  disabled?: boolean
  'aria-label'?: string
  size?: 'sm'
  comboboxProps?: { withinPortal?: boolean }
}

/** Rows to choose from, found by the server while one types. */
function useOptions(to: string, search: string, chosen: readonly string[], parent?: string | null) {
  const { options } = endpointsOf(getEntity(to))
  const [q] = useDebouncedValue(search.trim(), 200)
  const query = { ...(q && { q }), ...(parent && { parent }) }
  const found = useEndpoint(options, { query }, { placeholderData: (before) => before, enabled: parent !== null })
  const ids = chosen.toSorted().join(',')
  const named = useEndpoint(options, { query: { ids } }, { enabled: ids !== '', staleTime: 60_000 })
  const rows = new Map<string, Option>()
  for (const option of [...(named.data?.data ?? []), ...(found.data?.data ?? [])]) rows.set(option.id, option)
  return { rows, found: found.data?.data ?? [], loading: found.isFetching, error: found.error ?? named.error }
}

function useChoices(to: string, search: string, chosen: readonly string[], parent?: string | null, title?: string) {
  const { t } = useEntityWords()
  const options = useOptions(to, search, chosen, parent)
  const labelOf = (id: string) => {
    const option = options.rows.get(id)
    if (!option) return title ?? '…'
    return option.active ? option.title : t('notActiveOption', { name: option.title })
  }
  const ids = new Set([...chosen, ...options.found.map(({ id }) => id)])
  const data = [...ids].map((value) => ({ value, label: labelOf(value) }))
  const renderOption = ({ option }: { option: { value: string; label: string } }) => {
    const hint = options.rows.get(option.value)?.hint
    return (
      <div>
        {option.label}
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
    )
  }
  const look = {
    data,
    renderOption,
    searchable: true,
    openOnFocus: false,
    // The server has searched already.
    filter: ({ options: all }: { options: any[] }) => all,
    nothingFoundMessage: options.loading ? t('typeToSearch') : (options.error?.message ?? t('nothingFound')),
    rightSection: options.loading ? <Loader size={16} /> : undefined,
    maxDropdownHeight: 320,
    maw: 480,
  }
  return { look, labelOf, t }
}

type SelectProps = Common & {
  to: string
  value: string | null
  /** Name of the chosen row while it is not loaded yet. */
  title?: string
  onChange: (value: string | null) => void
  clearable?: boolean
  /** Row whose own rows are offered; null while it has to be chosen first. */
  parent?: string | null
  parentLabel?: string
}

/** Value of the entry that adds a row instead of choosing one. */
const addNew = 'new'

/** That entry, where the person may add such rows, and what it does. */
function useAdding(to: string, parent?: string | null) {
  const { t, noun } = useEntityWords()
  const create = useCreateInPlace(to, parent)
  return { create, entry: create ? [{ value: addNew, label: `+ ${t('add', { noun: noun(getEntity(to)) })}` }] : [] }
}

export function ReferenceSelect({ to, value, title, onChange, parent, parentLabel, disabled, ...common }: SelectProps) {
  const [typed, setTyped] = useState('')
  const { look, t } = useChoices(to, typed, value ? [value] : [], parent, title)
  const { create, entry } = useAdding(to, parent)
  return (
    <Select
      {...common}
      {...look}
      data={[...look.data, ...entry]}
      placeholder={parent === null ? t('chooseFirst', { name: parentLabel }) : t('choose')}
      disabled={disabled || parent === null}
      value={value}
      onChange={(next) => {
        setTyped('')
        if (next === addNew) create?.(typed, ({ id }) => onChange(id))
        else onChange(next)
      }}
      allowDeselect={!!common.clearable}
      // The name of the chosen row stands in the same box: only what is typed is searched.
      onInput={(event) => setTyped(event.currentTarget.value)}
      onDropdownClose={() => setTyped('')}
    />
  )
}

type MultiProps = Common & { to: string; value: string[]; onChange: (value: string[]) => void }

export function MultiReferenceSelect({ to, value, onChange, ...common }: MultiProps) {
  const [typed, setTyped] = useState('')
  const { look, t } = useChoices(to, typed, value)
  const { create, entry } = useAdding(to)
  return (
    <MultiSelect
      {...common}
      {...look}
      data={[...look.data, ...entry]}
      placeholder={value.length === 0 ? t('choose') : undefined}
      value={value}
      onChange={(next) =>
        next.includes(addNew) ? create?.(typed, ({ id }) => onChange([...value, id])) : onChange(next)
      }
      searchValue={typed}
      onSearchChange={setTyped}
      hidePickedOptions
    />
  )
}

/** Name of one row, for a filter that is set. */
export function useOptionTitle(to: string | undefined, id: string | null) {
  const { options } = endpointsOf(getEntity(to ?? 'fakultas'))
  const found = useEndpoint(options, { query: { ids: id ?? '' } }, { enabled: !!to && !!id, staleTime: 60_000 })
  return found.data?.data[0]?.title
}

/** The name of one row, for a filter that is set. */
export const OptionTitle = ({ to, id }: { to: string; id: string }) => <>{useOptionTitle(to, id) ?? '…'}</>
