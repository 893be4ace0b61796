import { Loader, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointsOf, type Option } from '#entities/endpoints.ts'
import { getEntity } from '#entities/index.ts'
import { useEndpoint } from '#web/api/query.ts'

export type ChoiceProps = {
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

/** Rows of an entity that match the search, plus the chosen rows. */
function useOptions(to: string, search: string, chosenIds: readonly string[], parent?: string | null) {
  const { options } = endpointsOf(getEntity(to))
  const [q] = useDebouncedValue(search.trim(), 200)
  const query = { ...(q && { q }), ...(parent && { parent }) }
  const found = useEndpoint(options, { query }, { placeholderData: (before) => before, enabled: parent !== null })
  const ids = chosenIds.toSorted().join(',')
  const chosenRows = useEndpoint(options, { query: { ids } }, { enabled: ids !== '', staleTime: 60_000 })
  const rows = new Map<string, Option>()
  for (const option of [...(chosenRows.data?.data ?? []), ...(found.data?.data ?? [])]) rows.set(option.id, option)
  return { rows, found: found.data?.data ?? [], loading: found.isFetching, error: found.error ?? chosenRows.error }
}

/** Props and labels for selecting rows of an entity. */
export function useChoices(
  to: string,
  search: string,
  chosenIds: readonly string[],
  parent?: string | null,
  title?: string,
) {
  const { t } = useTranslation('resource')
  const options = useOptions(to, search, chosenIds, parent)
  const labelOf = (id: string) => {
    const option = options.rows.get(id)
    if (!option) return title ?? '…'
    return option.active ? option.title : t('notActiveOption', { name: option.title })
  }
  const ids = new Set([...chosenIds, ...options.found.map(({ id }) => id)])
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
  const selectProps = {
    data,
    renderOption,
    searchable: true,
    openOnFocus: false,
    // The server has already searched.
    filter: ({ options: all }: { options: any[] }) => all,
    nothingFoundMessage: options.loading ? t('typeToSearch') : (options.error?.message ?? t('nothingFound')),
    rightSection: options.loading ? <Loader size={16} /> : undefined,
    maxDropdownHeight: 320,
    maw: 480,
  }
  return { selectProps, labelOf, t }
}

type RowChoiceProps = ChoiceProps & {
  to: string
  value: string | null
  onChange: (value: string | null) => void
  clearable?: boolean
}

/** Selects one row of an entity by typing. */
export function RowChoice({ to, value, onChange, ...common }: RowChoiceProps) {
  const [typedText, setTyped] = useState('')
  const { selectProps, t } = useChoices(to, typedText, value ? [value] : [])
  return (
    <Select
      {...common}
      {...selectProps}
      placeholder={t('choose')}
      value={value}
      onChange={(next) => {
        setTyped('')
        onChange(next)
      }}
      // The input also holds the chosen row's name, so only typed text is searched.
      onInput={(event) => setTyped(event.currentTarget.value)}
      onDropdownClose={() => setTyped('')}
    />
  )
}

/** Title of one row; undefined while it loads. */
export function useOptionTitle(to: string | undefined, id: string | null) {
  const { options } = endpointsOf(getEntity(to ?? 'fakultas'))
  const found = useEndpoint(options, { query: { ids: id ?? '' } }, { enabled: !!to && !!id, staleTime: 60_000 })
  return found.data?.data[0]?.title
}

/** Title of one row; an ellipsis while it loads. */
export const OptionTitle = ({ to, id }: { to: string; id: string }) => <>{useOptionTitle(to, id) ?? '…'}</>
