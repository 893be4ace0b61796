import { NumberInput, Radio, Select, Stack, TextInput, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  type EnrolmentField,
  type EnrolmentSection,
  enrolmentChoices,
  enrolmentFieldsOf,
  identityNumberFields,
  requiredEnrolmentFields,
} from '#domain/students/files/enrolment-data.ts'
import type { EnrolmentData } from '#domain/students/files/enrolment-endpoints.ts'
import type { Bindings } from '#web/api/use-form.ts'
import { BirthDateField } from '#web/ui/form/birth-date-field.tsx'

export type EnrolmentAnswers = Pick<EnrolmentData, EnrolmentField>

type Props = {
  form: Bindings<EnrolmentAnswers>
  isTransfer: boolean
  /** Whether the reader's role hides identity numbers. */
  identityHidden: boolean
  /** Whether the reader is staff: questions then refer to the student, and all are optional. */
  correcting: boolean
}

const sections = Object.keys(enrolmentFieldsOf) as EnrolmentSection[]
const digits: readonly EnrolmentField[] = ['motherNik', 'fatherNik', 'taxNumber', 'homePhone']

/** Enrolment questions by section; the former university only for transfer students. */
export function EnrolmentFields({ isTransfer, identityHidden, ...props }: Props) {
  const { t } = useTranslation('enrolment-data')
  return (
    <Stack gap="xl">
      {sections
        .filter((section) => section !== 'transfer' || isTransfer)
        .map((section) => (
          <Stack key={section} gap="md" component="section" aria-label={t(`section.${section}`)}>
            <Title order={2} size="h4">
              {t(`section.${section}`)}
            </Title>
            {(enrolmentFieldsOf[section] as readonly EnrolmentField[])
              .filter((field) => field !== 'kpsNumber' || props.form.values.kpsRecipient)
              .filter(
                (field) => !identityHidden || !(identityNumberFields as readonly EnrolmentField[]).includes(field),
              )
              .map((field) => (
                <Field key={field} field={field} {...props} />
              ))}
          </Stack>
        ))}
    </Stack>
  )
}

function Field({ field, correcting, form }: Omit<Props, 'isTransfer' | 'identityHidden'> & { field: EnrolmentField }) {
  const { t } = useTranslation('enrolment-data')
  const { values, set } = form
  const staffWord = (group: 'field' | 'help') =>
    correcting ? t(`staff.${group}.${field}` as 'staff.help.taxNumber', { defaultValue: '' }) : ''
  const label = staffWord('field') || t(`field.${field}`)
  const help = staffWord('help') || t(`help.${field}` as 'help.kpsNumber', { defaultValue: '' })
  const shared = {
    label,
    ...(help && { description: help }),
    ...form.field(field),
    withAsterisk:
      field === 'kpsNumber' ||
      (!correcting && (field === 'kpsRecipient' || (requiredEnrolmentFields as readonly string[]).includes(field))),
  }
  if (field === 'kpsRecipient')
    return (
      <Radio.Group
        {...shared}
        value={values.kpsRecipient === null ? null : String(values.kpsRecipient)}
        onChange={(value) => set({ kpsRecipient: value === 'true' })}
      >
        <Stack mt="xs" gap="xs">
          <Radio value="true" label={t('yes')} />
          <Radio value="false" label={t('no')} />
        </Stack>
      </Radio.Group>
    )
  if (field === 'motherBirthDate' || field === 'fatherBirthDate' || field === 'guardianBirthDate')
    return (
      <BirthDateField
        label={label}
        years={[new Date().getFullYear() - 100, new Date().getFullYear() - 15]}
        {...form.value(field)}
      />
    )
  if (field === 'recognisedCredits')
    return <NumberInput {...form.number(field)} {...shared} min={0} max={999} w={160} />
  if (field in enrolmentChoices) {
    const [choices, words] = enrolmentChoices[field as keyof typeof enrolmentChoices]
    return (
      <Select
        {...shared}
        data={choices.map((value) => ({ value, label: t(`${words}.${value}` as 'residence.1') }))}
        value={(values[field] as string | null) ?? null}
        onChange={(value) => set({ [field]: value })}
        placeholder={t('choose')}
        clearable
        searchable={choices.length > 8}
      />
    )
  }
  return (
    <TextInput
      {...shared}
      {...(digits.includes(field) && { inputMode: 'numeric' as const })}
      value={(values[field] as string | null) ?? ''}
      onChange={(event) => set({ [field]: event.currentTarget.value || null })}
    />
  )
}
