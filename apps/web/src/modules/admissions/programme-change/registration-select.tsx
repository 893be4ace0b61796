import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChangeCandidate, findChangeCandidates } from '#domain/admissions/programme-change-endpoints.ts'
import { mustGet } from '#domain/must.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useMissing } from '#web/ui/states/missing.tsx'

/** Finds an active registration by name, code or phone. */
export function RegistrationSelect({ onChange }: { onChange: (id: string) => void }) {
  const { t } = useTranslation(['programme-change', 'staff'])
  const [searchText, setSearchText] = useState('')
  const [q] = useDebouncedValue(searchText.trim(), 250)
  const hasQuery = q.length >= 2
  const { data, isFetching, error } = useEndpoint(findChangeCandidates, { query: { q } }, { enabled: hasQuery })
  const missing = useMissing()
  const candidates: ChangeCandidate[] = hasQuery ? (data?.data ?? []) : []
  const candidatesById = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  return (
    <Select
      label={t('form.who')}
      placeholder={t('form.whoPlaceholder')}
      withAsterisk
      searchable
      value={null}
      error={missing(t('form.who'), error)}
      searchValue={searchText}
      onSearchChange={setSearchText}
      data={candidates.map(({ id, name, code }) => ({ value: id, label: `${name} · ${code}` }))}
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t('form.searching') : hasQuery ? t('form.nobody') : t('form.typeMore')}
      renderOption={({ option }) => {
        const candidate = mustGet(candidatesById, option.value)
        return (
          <div>
            <Text size="sm" fw={500}>
              {candidate.name} · {candidate.code}
            </Text>
            <Text size="sm" c="dimmed">
              {candidate.programme ?? '—'} · {t(`staff:status.${candidate.status}`)}
            </Text>
          </div>
        )
      }}
      onChange={(id) => id && onChange(id)}
    />
  )
}
