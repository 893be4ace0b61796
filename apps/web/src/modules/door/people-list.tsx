import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import classes from './door.module.css'

/** Most people drawn at a time; search finds the others. */
const mostShown = 60

type ListProps<Person, Filter extends string> = {
  searchLabel: string
  onSearch?: (search: string) => void
  /** The first one shows everybody. */
  filters: readonly { value: Filter; label: string }[]
  find: (search: string, filter: Filter) => readonly Person[]
  /** Says that the list is empty, whatever is searched. */
  nobody: string | null
  row: (person: Person) => ReactNode
}

/** People expected at a door, found by name or code. */
export function PeopleList<Person, Filter extends string>({
  searchLabel,
  onSearch,
  filters,
  find,
  nobody,
  row,
}: ListProps<Person, Filter>) {
  const { t } = useTranslation('door')
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState(filters[0]!.value)
  const found = find(search, filter)
  return (
    <Stack gap="md">
      <TextInput
        label={searchLabel}
        type="search"
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={search}
        onChange={({ currentTarget: { value } }) => {
          setSearch(value)
          onSearch?.(value)
        }}
      />
      <SegmentedControl
        aria-label={t('filter')}
        fullWidth
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
        data={[...filters]}
      />
      {found.length === 0 ? (
        <EmptyState title={nobody ?? t('noMatch')} />
      ) : (
        <PersonRows>{found.slice(0, mostShown).map(row)}</PersonRows>
      )}
      {found.length > mostShown && (
        <Text c="dimmed" size="sm">
          {t('more', { count: found.length - mostShown })}
        </Text>
      )}
    </Stack>
  )
}

export const PersonRows = ({ children }: { children: ReactNode }) => <ul className={classes.people}>{children}</ul>

type RowProps = {
  name: string
  facts: readonly unknown[]
  status: ReactNode
  /** Buttons of what can be recorded. */
  children: ReactNode
}

export const PersonRow = ({ name, facts, status, children }: RowProps) => (
  <li className={classes.person}>
    <div className={classes.words}>
      <Text fw={600}>{name}</Text>
      <Text size="sm" c="dimmed">
        {facts.filter(Boolean).join(' · ')}
      </Text>
      {status}
    </div>
    <Group gap="xs">{children}</Group>
  </li>
)
