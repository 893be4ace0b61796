import { Button, Group, Pill, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type Ref, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { registrationSorts } from '#domain/admissions/endpoints.ts'
import { registrationStatuses, shownResults } from '#domain/admissions/registration-status.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { getEntity } from '#entities/index.ts'
import { useEndpoint } from '#web/api/query.ts'
import { type FilterKey, filterKeys, type useFilters } from './use-filters.ts'

const documentsStates = ['missing', 'to_review', 'rejected', 'complete'] as const

const useOptions = (slug: string) => {
  const { data } = useEndpoint(
    endpointsOf(getEntity(slug)).options,
    { query: { per_page: 100 } },
    { staleTime: 300_000 },
  )
  return (data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))
}

type Props = { state: ReturnType<typeof useFilters>; searchRef: Ref<HTMLInputElement> }

/** Search, order and filters above the list; what is set shows as a chip that can be taken away. */
export function RegistrationFilters({ state, searchRef }: Props) {
  const { t } = useTranslation('staff')
  const [typed, setTyped] = useState(state.q)
  useEffect(() => setTyped(state.q), [state.q])
  const search = useDebouncedCallback((q: string) => state.set({ q: q.trim() || null }), 250)
  const options: Record<FilterKey, { value: string; label: string }[]> = {
    waveId: useOptions('periode'),
    trackId: useOptions('jalur'),
    programmeId: useOptions('prodi'),
    status: registrationStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
    result: shownResults.map((value) => ({ value, label: t(`result.${value}`) })),
    documents: documentsStates.map((value) => ({ value, label: t(`documents.${value}`) })),
  }
  const chosen = filterKeys.filter((key) => state.filters[key])
  const labelOf = (key: FilterKey) => options[key].find(({ value }) => value === state.filters[key])?.label ?? '…'
  const sortNames = { newest: 'newest', oldest: 'oldest', name: 'byName', code: 'byCode' } as const
  return (
    <>
      <Group gap="xs" align="flex-end" wrap="wrap">
        <TextInput
          ref={searchRef}
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={typed}
          minLength={navigationConstants.searchMinimumLength}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            search(event.currentTarget.value)
          }}
          style={{ flex: '1 1 160px' }}
          size="sm"
        />
        <Select
          aria-label={t('list.sort')}
          data={registrationSorts.map((value) => ({ value, label: t(`list.${sortNames[value]}`) }))}
          value={state.sort}
          allowDeselect={false}
          onChange={(value) => state.set({ sort: value === 'newest' ? null : value })}
          size="sm"
          w={150}
        />
      </Group>
      <Group gap="xs" mt="xs" wrap="wrap">
        {filterKeys.map((key) => (
          <Select
            key={key}
            aria-label={t(`filter.${key}`)}
            placeholder={t(`filter.${key}`)}
            data={options[key]}
            value={state.filters[key]}
            onChange={(value) => state.set({ [key]: value })}
            clearable
            searchable={options[key].length > 8}
            clearButtonProps={{ 'aria-label': t('list.remove', { filter: t(`filter.${key}`) }) }}
            size="sm"
            style={{ flex: '1 1 130px' }}
          />
        ))}
      </Group>
      {chosen.length > 0 && (
        <Group gap="xs" mt="xs">
          {chosen.map((key) => (
            <Pill
              key={key}
              size="md"
              withRemoveButton
              onRemove={() => state.set({ [key]: null })}
              removeButtonProps={{
                'aria-label': t('list.remove', { filter: t(`filter.${key}`) }),
                'aria-hidden': undefined,
                tabIndex: 0,
              }}
            >
              {t(`filter.${key}`)}: {labelOf(key)}
            </Pill>
          ))}
          <Button variant="subtle" size="compact-sm" onClick={state.clear}>
            {t('list.clear')}
          </Button>
        </Group>
      )}
    </>
  )
}
