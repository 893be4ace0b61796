import { Checkbox, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { correctFeederStudent, type FeederStudent } from '#domain/students/feeder/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

type Props = { student: FeederStudent; onClose: () => void }

/** Corrects data that only the ministry requires and no other form has. */
export function OwnDialog({ student: { registrationId, corrections, identityHidden }, onClose }: Props) {
  const { t } = useTranslation('feeder')
  const form = useForm({
    call: correctFeederStudent,
    params: { registrationId },
    start: corrections,
    done: t('own.saved'),
    onDone: onClose,
  })
  const uuid = (name: 'previousUniversityId' | 'previousProgrammeId') => ({
    label: t(`own.${name}`),
    value: form.values[name] ?? '',
    ...form.field(name),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      form.set({ [name]: event.currentTarget.value.trim() || null }),
  })
  return (
    <DialogForm title={t('own.title')} form={form} submit={t('own.save')} onClose={onClose}>
      <TextInput {...uuid('previousUniversityId')} description={t('own.previousUniversityHint')} data-autofocus />
      <TextInput {...uuid('previousProgrammeId')} description={t('own.previousProgrammeHint')} />
      <NumberInput
        label={t('own.specialNeedsCode')}
        description={t('own.specialNeedsHint')}
        allowDecimal={false}
        allowNegative={false}
        {...form.number('specialNeedsCode')}
      />
      <Checkbox
        label={t('own.nikChecked')}
        description={t('own.nikCheckedHint')}
        disabled={identityHidden}
        {...form.box('nikChecked')}
      />
    </DialogForm>
  )
}
