import { Alert, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Education, educations } from '#domain/applicants/profile.ts'
import { useProfileOptions } from '#web/modules/applicants/use-profile.ts'
import { Missing } from '#web/ui/states/missing.tsx'
import { SchoolField } from './school/school-field.tsx'
import type { SectionFields } from './section-fields.ts'

type SchoolType = { id: string; code: string; name: string }

/** Names that are both a school type and a last education. */
const namedAlike = ['SMA', 'SMK', 'MA']

/** Type of the chosen school or last education, if it contradicts the chosen school type. */
function contradictionOf(
  type: SchoolType,
  { school, lastEducation }: SectionFields['answers'],
  types: readonly SchoolType[],
): string | undefined {
  const typeOfSchool = types.find(({ id }) => id === school?.schoolTypeId)
  if (typeOfSchool && typeOfSchool.id !== type.id) return typeOfSchool.name
  const education = String(lastEducation ?? '').toUpperCase()
  const contradicts = education !== type.code && [education, type.code].every((kind) => namedAlike.includes(kind))
  return contradicts ? education : undefined
}

export function EducationFields(section: SectionFields) {
  const { t } = useTranslation('applicants')
  const choosable = useProfileOptions()
  const options = choosable.data?.data
  const { answers, profile, set, label, error } = section
  const type = options?.schoolTypes.find(({ id }) => id === answers.schoolTypeId)
  const contradiction = type && contradictionOf(type, answers, options?.schoolTypes ?? [])
  const savedSchoolId = profile?.schoolId
    ? {
        name: profile.names.school ?? '',
        npsn: profile.names.schoolNpsn ?? '',
        city: profile.names.schoolCity ?? '',
        verified: profile.schoolVerified !== false,
      }
    : null
  return (
    <>
      {!options && <Missing what={t('form.choices')} error={choosable.error} onRetry={choosable.refetch} />}
      <Select
        label={label('lastEducation')}
        placeholder={t('form.choose')}
        data={educations.map((value) => ({ value, label: t(`education.${value}`) }))}
        value={(answers.lastEducation as Education | null) ?? null}
        onChange={(education) => set({ lastEducation: education as Education | null })}
        error={error('lastEducation')}
      />
      <SchoolField
        chosen={answers.school ?? savedSchoolId}
        onChange={({ id, name, npsn, city, verified, schoolTypeId }) =>
          set({
            schoolId: id,
            school: { name, npsn, city, verified, schoolTypeId },
            ...(schoolTypeId !== answers.schoolTypeId && { schoolTypeId, schoolMajorId: null }),
          })
        }
        error={error('schoolId')}
      />
      <Select
        label={label('schoolTypeId')}
        placeholder={t('form.choose')}
        data={(options?.schoolTypes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={answers.schoolTypeId ?? null}
        onChange={(schoolTypeId) => set({ schoolTypeId, schoolMajorId: null })}
        error={error('schoolTypeId')}
      />
      {contradiction && (
        <Alert color="orange">{t('school.typeDiffers', { type: type?.name, other: contradiction })}</Alert>
      )}
      {(!type || type.majors.length > 0) && (
        <Select
          label={label('schoolMajorId')}
          description={type ? undefined : t('form.chooseAbove', { field: t('field.schoolTypeId') })}
          placeholder={t('form.choose')}
          searchable
          disabled={!type}
          data={(type?.majors ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={answers.schoolMajorId ?? null}
          onChange={(schoolMajorId) => set({ schoolMajorId })}
          error={error('schoolMajorId')}
        />
      )}
      <TextInput
        label={label('graduationYear')}
        inputMode="numeric"
        maxLength={4}
        styles={{ wrapper: { width: 140 } }}
        defaultValue={answers.graduationYear ?? ''}
        key={profile?.graduationYear ?? 'none'}
        onChange={(event) => {
          const text = event.currentTarget.value
          if (text === '') set({ graduationYear: null })
          else if (/^\d{4}$/.test(text)) set({ graduationYear: Number(text) })
        }}
        // A year is saved once it is complete; whatever else is left there gets its sentence.
        onBlur={(event) => {
          const text = event.currentTarget.value
          if (text !== '' && !/^\d{4}$/.test(text)) set({ graduationYear: Number(text) || 0 })
        }}
        error={error('graduationYear')}
      />
    </>
  )
}
