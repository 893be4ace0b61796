import { Alert, Button, Group, Input, Loader, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type School, searchSchools } from '#domain/applicants/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useMissing } from '#web/ui/missing.tsx'

const ProposeSchool = lazy(() => import('./propose-school.tsx').then((module) => ({ default: module.ProposeSchool })))

export type ChosenSchool = Pick<School, 'name' | 'npsn' | 'city' | 'verified'>

/** Value of the option that is no school. */
const missing = 'missing'

type Props = {
  chosen: ChosenSchool | null
  onChange: (school: School) => void
  error?: string | undefined
}

/** A school out of tens of thousands: searched while typing, or added when it is missing. */
export function SchoolField({ chosen, onChange, error }: Props) {
  const { t } = useTranslation('applicants')
  const [searching, setSearching] = useState(false)
  const [typed, setTyped] = useState('')
  const [proposing, setProposing] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const [q] = useDebouncedValue(typed.trim(), 200)
  const { data, isFetching, error: failure } = useEndpoint(searchSchools, { query: { q } }, { enabled: q.length >= 2 })
  const missingData = useMissing()
  const schools = q.length >= 2 ? (data?.data ?? []) : []

  const choose = (school: School) => {
    onChange(school)
    setSearching(false)
    setTyped('')
  }

  if (chosen && !searching)
    return (
      <Input.Wrapper size="md" label={t('field.schoolId')} labelElement="div" error={error}>
        <Stack gap={4}>
          <Text fw={600}>{chosen.name}</Text>
          <Text size="sm" c="dimmed">
            NPSN {chosen.npsn} · {chosen.city}
            {!chosen.verified && ` · ${t('school.unverified')}`}
          </Text>
          {notice && <Text size="sm">{notice}</Text>}
          <Group>
            <Button variant="default" onClick={() => setSearching(true)}>
              {t('school.change')}
            </Button>
          </Group>
        </Stack>
      </Input.Wrapper>
    )

  return (
    <Stack gap="xs">
      <Select
        label={t('field.schoolId')}
        description={t('school.placeholder')}
        placeholder={t('school.search')}
        searchable
        value={null}
        searchValue={typed}
        onSearchChange={setTyped}
        // The way out stands in the list itself: on a phone the list covers everything below it.
        data={[
          ...schools.map(({ id, name }) => ({ value: id, label: name })),
          ...(q.length >= 2 && !isFetching ? [{ value: missing, label: t('school.missing') }] : []),
        ]}
        // The server has searched already; names it found by city or number do not hold what was typed.
        filter={({ options }) => options}
        renderOption={({ option }) => {
          const school = schools.find(({ id }) => id === option.value)
          return (
            <div>
              <Text fw={500}>{option.label}</Text>
              {school && (
                <Text size="sm" c="dimmed">
                  {school.city} · NPSN {school.npsn}
                  {!school.verified && ` · ${t('school.unverified')}`}
                </Text>
              )}
            </div>
          )
        }}
        onChange={(id) => {
          if (id === missing) return setProposing(true)
          const school = schools.find((one) => one.id === id)
          if (school) {
            setNotice(null)
            choose(school)
          }
        }}
        nothingFoundMessage={q.length < 2 ? t('school.typeMore') : t('form.loading')}
        rightSection={isFetching ? <Loader size="xs" /> : undefined}
        error={error ?? missingData(t('field.schoolId'), failure)}
        maxDropdownHeight={320}
      />
      {!proposing && (
        <Group>
          <Button variant="subtle" onClick={() => setProposing(true)} px="xs">
            {t('school.missing')}
          </Button>
        </Group>
      )}
      {proposing && (
        <Suspense fallback={<Loader />}>
          <ProposeSchool
            name={typed}
            onCancel={() => setProposing(false)}
            onProposed={(school, existed) => {
              setProposing(false)
              setNotice(existed ? t('school.existed') : t('school.added'))
              choose(school)
            }}
          />
        </Suspense>
      )}
      {notice && <Alert>{notice}</Alert>}
    </Stack>
  )
}
