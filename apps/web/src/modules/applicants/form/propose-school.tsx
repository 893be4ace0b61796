import { Button, Group, Paper, Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { proposeSchool, type School } from '#domain/applicants/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { useProfileOptions } from '#web/modules/applicants/use-profile.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { RegionSelect } from './region-select.tsx'

type Props = { name: string; onCancel: () => void; onProposed: (school: School, existed: boolean) => void }

/** Adds a school that the list lacks; it can be used at once, staff verify it later. */
export function ProposeSchool({ name: typedName, onCancel, onProposed }: Props) {
  const { t } = useTranslation('applicants')
  const options = useProfileOptions().data?.data
  const [name, setName] = useState(typedName)
  const [npsn, setNpsn] = useState('')
  const [schoolTypeId, setSchoolTypeId] = useState<string | null>(null)
  const [status, setStatus] = useState<'negeri' | 'swasta'>('swasta')
  const [provinceId, setProvinceId] = useState<string | null>(null)
  const [cityId, setCityId] = useState<string | null>(null)
  const [address, setAddress] = useState('')
  const form = useForm({
    call: proposeSchool,
    body: {
      name,
      status,
      schoolTypeId: schoolTypeId ?? '',
      cityId: cityId ?? '',
      ...(npsn && { npsn }),
      ...(address && { address }),
    },
    onDone: ({ data: { existed, ...school } }) => onProposed(school, existed),
  })

  return (
    <Paper withBorder p="md" radius="lg" {...form.form}>
      <Stack>
        <div>
          <Text fw={600}>{t('school.proposeTitle')}</Text>
          <Text size="sm" c="dimmed">
            {t('school.proposeHelp')}
          </Text>
        </div>
        <TextInput
          label={t('school.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          {...form.field('name')}
        />
        <Select
          label={t('field.schoolTypeId')}
          placeholder={t('form.choose')}
          data={(options?.schoolTypes ?? []).map(({ id, name: label }) => ({ value: id, label }))}
          value={schoolTypeId}
          onChange={setSchoolTypeId}
          {...form.field('schoolTypeId')}
        />
        <Radio.Group
          size="md"
          label={t('school.status')}
          value={status}
          onChange={(chosenStatus) => setStatus(chosenStatus as 'negeri' | 'swasta')}
        >
          <Group mt="xs" gap="lg">
            <Radio value="negeri" label={t('school.negeri')} />
            <Radio value="swasta" label={t('school.swasta')} />
          </Group>
        </Radio.Group>
        <RegionSelect
          level="provinces"
          label={t('school.province')}
          value={provinceId}
          onChange={(region) => {
            setProvinceId(region?.id ?? null)
            setCityId(null)
          }}
        />
        <div data-field="cityId">
          <RegionSelect
            level="cities"
            label={t('school.city')}
            parentId={provinceId}
            parentLabel={t('school.province')}
            value={cityId}
            onChange={(region) => setCityId(region?.id ?? null)}
            error={form.errorOf('cityId')}
          />
        </div>
        <TextInput
          label={`${t('school.npsn')} (${t('optional')})`}
          description={t('school.npsnHelp')}
          inputMode="numeric"
          value={npsn}
          onChange={(event) => setNpsn(event.currentTarget.value)}
          {...form.field('npsn')}
        />
        <Textarea
          label={`${t('school.address')} (${t('optional')})`}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          {...form.field('address')}
        />
        <Failure>{form.unsaid}</Failure>
        <Group>
          <Button onClick={form.submit} loading={form.busy}>
            {t('school.add')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('photo.cancel')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
