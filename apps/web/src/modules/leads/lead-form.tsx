import { Textarea, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { createLead, type FullLead, type LeadDetails, updateLead } from '#domain/leads/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { RowChoice } from '#web/list/bar/row-choice.tsx'
import { useLanguage } from '#web/shell/language.ts'
import { BirthDateField } from '#web/ui/form/birth-date-field.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useValues } from '#web/ui/form/use-values.ts'

type Values = { [K in keyof LeadDetails]: K extends 'birthDate' | 'schoolId' | 'programmeId' ? string | null : string }

const empty: Values = {
  name: '',
  phone: '',
  email: '',
  birthDate: null,
  schoolId: null,
  schoolName: '',
  major: '',
  programmeId: null,
  wish: '',
}

const bodyOf = (values: Values) => ({ ...values, schoolName: values.schoolId ? '' : values.schoolName })

type Fields = Pick<ReturnType<typeof useForm>, 'errors'> & { field: (name: string) => object }

function DetailFields({ inputs, form }: { inputs: ReturnType<typeof useValues<Values>>; form: Fields }) {
  const { t } = useTranslation('leads')
  const { values, text, value } = inputs
  return (
    <>
      <TextInput label={t('form.name')} data-autofocus {...text('name')} {...form.field('name')} />
      <TextInput label={t('form.phone')} type="tel" inputMode="tel" {...text('phone')} {...form.field('phone')} />
      <TextInput label={t('form.email')} type="email" inputMode="email" {...text('email')} {...form.field('email')} />
      <RowChoice label={t('form.school')} to="sma-nama" clearable {...value('schoolId')} {...form.field('schoolId')} />
      {!values.schoolId && (
        <TextInput label={t('form.schoolName')} {...text('schoolName')} {...form.field('schoolName')} />
      )}
      <TextInput label={t('form.major')} {...text('major')} {...form.field('major')} />
      <RowChoice
        label={t('form.programme')}
        to="prodi"
        clearable
        {...value('programmeId')}
        {...form.field('programmeId')}
      />
      <BirthDateField label={t('form.birthDate')} {...value('birthDate')} {...form.field('birthDate')} />
      <Textarea label={t('form.wish')} autosize minRows={2} {...text('wish')} {...form.field('wish')} />
    </>
  )
}

/** Adds a person who agreed to be contacted. Asks how and when, because nobody may be called without consent. */
export function AddLeadDialog({ onAdded, onClose }: { onAdded: (id: string) => void; onClose: () => void }) {
  const { t } = useTranslation('leads')
  const language = useLanguage()
  const inputs = useValues<Values>(empty)
  const consent = useValues({ how: '', on: universityCalendar().dayOf(new Date()) as string | null })
  const form = useForm({
    call: createLead,
    body: { ...bodyOf(inputs.values), consentHow: consent.values.how, consentOn: consent.values.on },
    done: ({ data }) => t(data.isNew ? 'form.added' : 'form.known', { name: inputs.values.name }),
    onDone: ({ data }) => {
      onClose()
      onAdded(data.id)
    },
  })
  return (
    <DialogForm title={t('form.add')} form={form} submit={t('form.add')} onClose={onClose}>
      <DetailFields inputs={inputs} form={form as unknown as Fields} />
      <Textarea
        label={t('form.consentHow')}
        description={t('form.consentHowHelp')}
        autosize
        minRows={2}
        {...consent.text('how')}
        {...form.field('consentHow')}
      />
      <DatePickerInput
        label={t('form.consentOn')}
        locale={language}
        maxDate={universityCalendar().dayOf(new Date())}
        {...consent.value('on')}
        {...form.field('consentOn')}
      />
    </DialogForm>
  )
}

export function EditLeadDialog({ lead, onClose }: { lead: FullLead; onClose: () => void }) {
  const { t } = useTranslation('leads')
  const { id, version } = lead
  const inputs = useValues<Values>({
    name: lead.name,
    phone: lead.phone ? formatPhone(lead.phone) : '',
    email: lead.email ?? '',
    birthDate: lead.birthDate,
    schoolId: lead.schoolId,
    schoolName: lead.schoolName ?? '',
    major: lead.major ?? '',
    programmeId: lead.programmeId,
    wish: lead.wish ?? '',
  })
  const form = useForm({
    call: updateLead,
    params: { id },
    body: { ...bodyOf(inputs.values), version },
    done: t('form.saved'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('form.editTitle')} form={form} submit={t('form.save')} onClose={onClose}>
      <DetailFields inputs={inputs} form={form as unknown as Fields} />
    </DialogForm>
  )
}
