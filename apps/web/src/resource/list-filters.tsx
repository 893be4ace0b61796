import { Button, Checkbox, Group, Pill, Popover, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconColumns3, IconFilter, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Entity } from '#entities/define/entity.ts'
import { filterKeys } from '#entities/define/row.ts'
import type { ListState, useColumns } from './list-state.ts'
import { ReferenceSelect, useOptionTitle } from './reference-select.tsx'
import { useEntityWords } from './words.ts'

type Props = { entity: Entity; list: ListState }

/** Search, filters and columns; what is set stands below as chips. */
export function ListFilters({ entity, list, columns }: Props & { columns: ReturnType<typeof useColumns> }) {
  const { t, nouns } = useEntityWords()
  const [typed, setTyped] = useState(list.q)
  const search = useDebouncedCallback((q: string) => list.set({ q: q.trim().length >= 2 ? q.trim() : null }), 300)
  useEffect(
    () => setTyped((now) => (now.trim() === list.q || (list.q === '' && now.trim().length < 2) ? now : list.q)),
    [list.q],
  )
  const keys = filterKeys(entity)
  const set = Object.entries(list.filters)
  return (
    <Stack gap="xs" px="md" pb="sm" pt={4}>
      <Group gap="sm" wrap="wrap">
        <TextInput
          type="search"
          size="sm"
          style={{ flex: '1 1 220px' }}
          maw={380}
          aria-label={t('search', { nouns: nouns(entity) })}
          placeholder={t('search', { nouns: nouns(entity) })}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            search(event.currentTarget.value)
          }}
        />
        <SegmentedControl
          size="sm"
          aria-label={t('status')}
          value={list.active ?? 'all'}
          onChange={(value) => list.set({ active: value === 'all' ? null : value })}
          data={[
            { value: 'all', label: t('all') },
            { value: 'true', label: t('active') },
            { value: 'false', label: t('inactive') },
          ]}
        />
        <Group gap="xs" ml="auto">
          {keys.length > 0 && (
            <Popover position="bottom-end" width={320} trapFocus shadow="md" withinPortal={false}>
              <Popover.Target>
                <Button variant="default" size="sm" leftSection={<IconFilter size={16} aria-hidden="true" />}>
                  {t('filters')}
                </Button>
              </Popover.Target>
              <Popover.Dropdown>
                <Stack gap="sm">
                  {keys.map((key) => (
                    <FilterControl key={key} entity={entity} list={list} name={key} />
                  ))}
                </Stack>
              </Popover.Dropdown>
            </Popover>
          )}
          <ColumnChooser entity={entity} columns={columns} />
        </Group>
      </Group>
      {(set.length > 0 || list.q) && (
        <Group gap="xs">
          {list.q && (
            <Chip name={t('searchFor', { q: list.q })} onRemove={() => list.set({ q: null })}>
              {t('searchFor', { q: list.q })}
            </Chip>
          )}
          {set.map(([key, value]) => (
            <FilterChip key={key} entity={entity} list={list} name={key} value={value} />
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => list.set({ q: null, active: null, ...Object.fromEntries(keys.map((key) => [key, null])) })}
          >
            {t('clearAll')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Chip({ name, onRemove, children }: { name: string; onRemove: () => void; children: string }) {
  const { t } = useEntityWords()
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': t('removeFilter', { name }), 'aria-hidden': false, tabIndex: 0 }}
    >
      {children}
    </Pill>
  )
}

function FilterChip({ entity, list, name, value }: Props & { name: string; value: string }) {
  const { labelOf, language } = useEntityWords()
  const { t } = useTranslation('common')
  const field = entity.fields[name]!
  const title = useOptionTitle(field.kind === 'reference' ? field.to : undefined, value)
  const shown =
    field.kind === 'choice'
      ? (field.choices[value]?.[language] ?? value)
      : field.kind === 'boolean'
        ? t(value === 'true' ? 'yes' : 'no')
        : field.kind === 'reference'
          ? (title ?? '…')
          : value
  return (
    <Chip
      name={labelOf(entity, name)}
      onRemove={() => list.set({ [name]: null })}
    >{`${labelOf(entity, name)}: ${shown}`}</Chip>
  )
}

function FilterControl({ entity, list, name }: Props & { name: string }) {
  const { labelOf, language, t: say } = useEntityWords()
  const { t } = useTranslation('common')
  const field = entity.fields[name]!
  const label = labelOf(entity, name)
  const value = list.filters[name] ?? null
  const onChange = (next: string | null) => list.set({ [name]: next })
  const change = useDebouncedCallback(onChange, 400)
  // What the control opens stays inside the popover, or choosing would close it.
  const inside = { comboboxProps: { withinPortal: false }, clearable: true, size: 'sm' as const }
  if (field.kind === 'reference')
    return <ReferenceSelect {...inside} label={label} to={field.to} value={value} onChange={onChange} />
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const data =
      field.kind === 'choice'
        ? Object.entries(field.choices).map(([key, words]) => ({ value: key, label: words[language] }))
        : [
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]
    return <Select {...inside} label={label} placeholder={say('all')} data={data} value={value} onChange={onChange} />
  }
  return (
    <TextInput
      size="sm"
      label={label}
      defaultValue={value ?? ''}
      onChange={(event) => change(event.currentTarget.value || null)}
    />
  )
}

function ColumnChooser({ entity, columns }: { entity: Entity; columns: ReturnType<typeof useColumns> }) {
  const { t, labelOf } = useEntityWords()
  return (
    <Popover position="bottom-end" trapFocus shadow="md" withinPortal={false}>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          visibleFrom="sm"
          leftSection={<IconColumns3 size={16} aria-hidden="true" />}
        >
          {t('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Checkbox.Group value={columns.columns} onChange={columns.choose} aria-label={t('columns')}>
          <Stack gap="xs">
            {columns.possible.map((name) => (
              <Checkbox key={name} size="sm" value={name} label={labelOf(entity, name)} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
