import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChangeCandidate, findChangeCandidates } from '#domain/admissions/programme-change-endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useMissing } from '#web/ui/missing.tsx'

/** A registration under way, found by name, code or phone. */
export function RegistrationSelect({ onChange }: { onChange: (id: string) => void }) {
  const { t } = useTranslation(['programme-change', 'staff'])
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 250)
  const asks = q.length >= 2
  const { data, isFetching, error } = useEndpoint(findChangeCandidates, { query: { q } }, { enabled: asks })
  const missing = useMissing()
  const found: ChangeCandidate[] = asks ? (data?.data ?? []) : []
  return (
    <Select
      label={t('form.who')}
      placeholder={t('form.whoPlaceholder')}
      withAsterisk
      searchable
      value={null}
      error={missing(t('form.who'), error)}
      searchValue={typed}
      onSearchChange={setTyped}
      data={found.map(({ id, name, code }) => ({ value: id, label: `${name} · ${code}` }))}
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t('form.searching') : asks ? t('form.nobody') : t('form.typeMore')}
      renderOption={({ option }) => {
        const one = found.find(({ id }) => id === option.value)!
        return (
          <div>
            <Text size="sm" fw={500}>
              {one.name} · {one.code}
            </Text>
            <Text size="sm" c="dimmed">
              {one.programme ?? '—'} · {t(`staff:status.${one.status}`)}
            </Text>
          </div>
        )
      }}
      onChange={(id) => id && onChange(id)}
    />
  )
}
