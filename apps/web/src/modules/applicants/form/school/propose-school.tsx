import { Button, Group, Paper, Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { proposeSchool, type School } from '#domain/applicants/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { RegionSelect } from '#web/modules/applicants/form/region-select.tsx'
import { useProfileOptions } from '#web/modules/applicants/use-profile.ts'
import { Failure } from '#web/ui/states/failure.tsx'

type Props = { name: string; onCancel: () => void; onProposed: (school: School, existed: boolean) => void }

type SchoolStatus = School['status']

/** A name such as SMAN 5 or SMK Negeri 2 says that the school is public; other names say nothing. */
const statusIn = (name: string): SchoolStatus | null => (/\b(SMA|SMK|MA)N\b|\bnegeri\b/i.test(name) ? 'negeri' : null)

/** Adds a school missing from the list; it can be used at once, and staff verify it later. */
export function ProposeSchool({ name: typedName, onCancel, onProposed }: Props) {
  const { t } = useTranslation('applicants')
  const options = useProfileOptions().data?.data
  const form = useForm({
    call: proposeSchool,
    start: {
      name: typedName,
      npsn: '',
      schoolTypeId: null as string | null,
      status: statusIn(typedName),
      provinceId: null as string | null,
      cityId: null as string | null,
      address: '',
    },
    body: ({ provinceId: _, status, schoolTypeId, cityId, npsn, address, ...others }) => ({
      ...others,
      status: status ?? ('' as SchoolStatus),
      schoolTypeId: schoolTypeId ?? '',
      cityId: cityId ?? '',
      ...(npsn && { npsn }),
      ...(address && { address }),
    }),
    onDone: ({ data: { existed, ...school } }) => onProposed(school, existed),
  })
  const { status, provinceId, cityId } = form.values

  return (
    <Paper withBorder p="md" radius="lg" {...form.form}>
      <Stack>
        <div>
          <Text fw={600}>{t('school.proposeTitle')}</Text>
          <Text size="sm" c="dimmed">
            {t('school.proposeHelp')}
          </Text>
        </div>
        <TextInput label={t('school.name')} {...form.text('name')} />
        <Select
          label={t('field.schoolTypeId')}
          placeholder={t('form.choose')}
          data={(options?.schoolTypes ?? []).map((type) => ({ value: type.id, label: type.name }))}
          {...form.value('schoolTypeId')}
        />
        <Radio.Group
          size="md"
          label={t('school.status')}
          value={status}
          onChange={(chosen) => form.set({ status: chosen as SchoolStatus })}
          error={form.errorOf('status')}
          wrapperProps={{ 'data-field': 'status' }}
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
          onChange={(region) => form.set({ provinceId: region?.id ?? null, cityId: null })}
        />
        <div data-field="cityId">
          <RegionSelect
            level="cities"
            label={t('school.city')}
            parentId={provinceId}
            parentLabel={t('school.province')}
            value={cityId}
            onChange={(region) => form.set({ cityId: region?.id ?? null })}
            error={form.errorOf('cityId')}
          />
        </div>
        <TextInput
          label={`${t('school.npsn')} (${t('optional')})`}
          description={t('school.npsnHelp')}
          inputMode="numeric"
          {...form.text('npsn')}
        />
        <Textarea label={`${t('school.address')} (${t('optional')})`} {...form.text('address')} />
        <Failure>{form.formError}</Failure>
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
