import { Alert, Group, Radio, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { checkNik } from '#domain/applicants/nik.ts'
import { type Gender, genders } from '#domain/applicants/profile.ts'
import { countryOptions } from '#web/modules/applicants/countries.ts'
import { useProfileOptions } from '#web/modules/applicants/use-profile.ts'
import { BirthDateField } from '#web/ui/form/birth-date-field.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { SectionFields } from './section-fields.ts'
import { TextAnswer } from './text-answer.tsx'

export function IdentityFields(section: SectionFields) {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const choosable = useProfileOptions()
  const options = choosable.data?.data
  const { answers, set, label, error } = section
  const citizenship = answers.citizenship ?? 'ID'
  const warnings =
    citizenship === 'ID' && !section.staff?.nikMasked
      ? checkNik((answers.nik ?? '').replace(/[\s.-]/g, ''), {
          birthDate: (answers.birthDate as string | null) ?? null,
          gender: (answers.gender as Gender | null) ?? null,
        })
      : []
  const choices = (rows: { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      {!options && <Missing what={t('form.choices')} error={choosable.error} onRetry={choosable.refetch} />}
      <TextAnswer section={section} field="fullName" help={t('help.fullName')} autoComplete="name" maxLength={100} />
      <TextAnswer section={section} field="birthPlace" maxLength={60} />
      <BirthDateField
        label={label('birthDate')}
        value={(answers.birthDate as string | null) ?? null}
        onChange={(birthDate) => set({ birthDate })}
        error={error('birthDate')}
      />
      <Radio.Group
        size="md"
        label={label('gender')}
        value={(answers.gender as string | null) ?? ''}
        onChange={(gender) => set({ gender: gender as Gender })}
        error={error('gender')}
      >
        <Group mt="xs" gap="lg">
          {genders.map((gender) => (
            <Radio key={gender} value={gender} label={t(`gender.${gender}`)} />
          ))}
        </Group>
      </Radio.Group>
      <Select
        label={label('citizenship')}
        searchable
        allowDeselect={false}
        data={countryOptions(language)}
        value={citizenship}
        onChange={(citizenshipChoice) => citizenshipChoice && set({ citizenship: citizenshipChoice })}
        error={error('citizenship')}
      />
      {citizenship === 'ID' && !section.staff?.nikMasked && (
        <TextAnswer
          section={section}
          field="nik"
          help={t('help.nik')}
          inputMode="numeric"
          maxLength={22}
          autoComplete="off"
        />
      )}
      {warnings.map((warning) => (
        <Alert key={warning} color="orange">
          {t(`nikWarning.${warning}`)}
        </Alert>
      ))}
      <TextAnswer
        section={section}
        field="nisn"
        help={t('help.nisn')}
        inputMode="numeric"
        maxLength={14}
        autoComplete="off"
      />
      <Select
        label={label('religionId')}
        placeholder={t('form.choose')}
        data={choices(options?.religions)}
        value={answers.religionId ?? null}
        onChange={(religionId) => set({ religionId })}
        error={error('religionId')}
      />
      <Select
        label={label('ethnicGroupId')}
        placeholder={t('form.choose')}
        searchable
        clearable
        clearSectionMode="clear"
        data={choices(options?.ethnicGroups)}
        value={answers.ethnicGroupId ?? null}
        onChange={(ethnicGroupId) => set({ ethnicGroupId })}
        error={error('ethnicGroupId')}
      />
    </>
  )
}
