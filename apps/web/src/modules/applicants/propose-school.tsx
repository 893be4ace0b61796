import { Button, Group, Paper, Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { proposeSchool, type School } from '#domain/applicants/endpoints.ts'
import { ApiError } from '../../api/client.ts'
import { useSend } from '../../api/send.ts'
import { useChecks } from '../../api/use-checks.ts'
import { Failure } from '../../ui/failure.tsx'
import { RegionSelect } from './region-select.tsx'
import { useProfileOptions } from './use-profile.ts'

type Props = { name: string; onCancel: () => void; onProposed: (school: School, existed: boolean) => void }

/** Names a school that is not in the list; it can be used at once and is checked by staff later. */
export function ProposeSchool({ name: typed, onCancel, onProposed }: Props) {
  const send = useSend(proposeSchool)
  const { t } = useTranslation('applicants')
  const options = useProfileOptions().data?.data
  const [name, setName] = useState(typed)
  const [npsn, setNpsn] = useState('')
  const [schoolTypeId, setSchoolTypeId] = useState<string | null>(null)
  const [status, setStatus] = useState<'negeri' | 'swasta'>('swasta')
  const [provinceId, setProvinceId] = useState<string | null>(null)
  const [cityId, setCityId] = useState<string | null>(null)
  const [address, setAddress] = useState('')
  const body = {
    name,
    status,
    schoolTypeId: schoolTypeId ?? '',
    cityId: cityId ?? '',
    ...(npsn && { npsn }),
    ...(address && { address }),
  }
  const add = useMutation({
    mutationFn: () => send({ body }),
    onSuccess: ({ data: { existed, ...school } }) => onProposed(school, existed),
  })
  const refusal = add.error instanceof ApiError ? add.error : null
  const checks = useChecks(proposeSchool, body, { refusal })

  return (
    <Paper withBorder p="md" radius="lg" {...checks.form}>
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
          {...checks.field('name')}
        />
        <Select
          label={t('field.schoolTypeId')}
          placeholder={t('form.choose')}
          data={(options?.schoolTypes ?? []).map(({ id, name: label }) => ({ value: id, label }))}
          value={schoolTypeId}
          onChange={setSchoolTypeId}
          {...checks.field('schoolTypeId')}
        />
        <Radio.Group
          size="md"
          label={t('school.status')}
          value={status}
          onChange={(chosen) => setStatus(chosen as 'negeri' | 'swasta')}
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
            error={checks.errorOf('cityId')}
          />
        </div>
        <TextInput
          label={`${t('school.npsn')} (${t('optional')})`}
          description={t('school.npsnHelp')}
          inputMode="numeric"
          maxLength={8}
          value={npsn}
          onChange={(event) => setNpsn(event.currentTarget.value)}
          {...checks.field('npsn')}
        />
        <Textarea
          label={`${t('school.address')} (${t('optional')})`}
          maxLength={300}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Failure>{checks.unsaid}</Failure>
        <Group>
          <Button onClick={() => checks.isReady() && add.mutate()} loading={add.isPending}>
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
