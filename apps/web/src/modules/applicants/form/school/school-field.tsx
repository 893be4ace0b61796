import { Alert, Button, Group, Input, Loader, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type School, searchSchools } from '#domain/applicants/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { useMissing } from '#web/ui/states/missing.tsx'

const ProposeSchool = lazyPart(() =>
  import('./propose-school.tsx').then((module) => ({ default: module.ProposeSchool })),
)

export type ChosenSchool = Pick<School, 'name' | 'npsn' | 'city' | 'verified'> & Partial<Pick<School, 'schoolTypeId'>>

/** Value of the option that adds a missing school. */
const missingOption = 'missing'

type Props = {
  chosen: ChosenSchool | null
  onChange: (school: School) => void
  error?: string | undefined
}

/** Searches tens of thousands of schools while typing; a missing school can be added. */
export function SchoolField({ chosen, onChange, error }: Props) {
  const { t } = useTranslation('applicants')
  const [isSearching, setIsSearching] = useState(false)
  const [searchText, setSearchText] = useState('')
  const [isProposing, setIsProposing] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const [q] = useDebouncedValue(searchText.trim(), 200)
  const { data, isFetching, error: failure } = useEndpoint(searchSchools, { query: { q } }, { enabled: q.length >= 2 })
  const missingData = useMissing()
  const schools = q.length >= 2 ? (data?.data ?? []) : []

  const chooseSchool = (school: School) => {
    onChange(school)
    setIsSearching(false)
    setSearchText('')
  }

  if (chosen && !isSearching)
    return <Chosen school={chosen} notice={notice} error={error} onChange={() => setIsSearching(true)} />

  return (
    <Stack gap="xs">
      <Select
        label={t('field.schoolId')}
        description={t('school.placeholder')}
        placeholder={t('school.search')}
        searchable
        value={null}
        searchValue={searchText}
        onSearchChange={setSearchText}
        // Adding a school is an option of the list, because on a phone the list covers everything below it.
        data={[
          ...schools.map(({ id, name }) => ({ value: id, label: name })),
          ...(q.length >= 2 && !isFetching ? [{ value: missingOption, label: t('school.missing') }] : []),
        ]}
        // The server has already searched by name, city and number; filtering by name here would hide results.
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
          if (id === missingOption) return setIsProposing(true)
          const school = schools.find((candidate) => candidate.id === id)
          if (school) {
            setNotice(null)
            chooseSchool(school)
          }
        }}
        nothingFoundMessage={q.length < 2 ? t('school.typeMore') : t('form.loading')}
        rightSection={isFetching ? <Loader size="xs" /> : undefined}
        error={error ?? missingData(t('field.schoolId'), failure)}
        maxDropdownHeight={320}
      />
      {!isProposing && (
        <Group>
          <Button variant="subtle" onClick={() => setIsProposing(true)} px="xs">
            {t('school.missing')}
          </Button>
        </Group>
      )}
      {isProposing && (
        <Suspense fallback={<Loader />}>
          <ProposeSchool
            name={searchText}
            onCancel={() => setIsProposing(false)}
            onProposed={(school, existed) => {
              setIsProposing(false)
              setNotice(existed ? t('school.existed') : t('school.added'))
              chooseSchool(school)
            }}
          />
        </Suspense>
      )}
      {notice && <Alert>{notice}</Alert>}
    </Stack>
  )
}

type ChosenProps = {
  school: ChosenSchool
  notice: string | null
  error: string | undefined
  onChange: () => void
}

function Chosen({ school, notice, error, onChange }: ChosenProps) {
  const { t } = useTranslation('applicants')
  return (
    <Input.Wrapper size="md" label={t('field.schoolId')} labelElement="div" error={error}>
      <Stack gap={4}>
        <Text fw={600}>{school.name}</Text>
        <Text size="sm" c="dimmed">
          NPSN {school.npsn} · {school.city}
          {!school.verified && ` · ${t('school.unverified')}`}
        </Text>
        {notice && <Text size="sm">{notice}</Text>}
        <Group>
          <Button variant="default" onClick={onChange}>
            {t('school.change')}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
