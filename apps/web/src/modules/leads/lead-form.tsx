import { Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { createLead, type FullLead, type LeadDetails, updateLead } from '#domain/leads/endpoints.ts'
import { type Bindings, useForm } from '#web/api/use-form.ts'
import { RowChoice } from '#web/list/bar/row-choice.tsx'
import { useLanguage } from '#web/shell/language.ts'
import { BirthDateField } from '#web/ui/form/birth-date-field.tsx'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

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

const bodyOf = <V extends Values>(values: V) => ({ ...values, schoolName: values.schoolId ? '' : values.schoolName })

function DetailFields({ form }: { form: Bindings<Values> }) {
  const { t } = useTranslation('leads')
  return (
    <>
      <TextInput label={t('form.name')} data-autofocus {...form.text('name')} />
      <TextInput label={t('form.phone')} type="tel" inputMode="tel" {...form.text('phone')} />
      <TextInput label={t('form.email')} type="email" inputMode="email" {...form.text('email')} />
      <RowChoice label={t('form.school')} to="sma-nama" clearable {...form.value('schoolId')} />
      {!form.values.schoolId && <TextInput label={t('form.schoolName')} {...form.text('schoolName')} />}
      <TextInput label={t('form.major')} {...form.text('major')} />
      <RowChoice label={t('form.programme')} to="prodi" clearable {...form.value('programmeId')} />
      <BirthDateField label={t('form.birthDate')} {...form.value('birthDate')} />
      <Textarea label={t('form.wish')} autosize minRows={2} {...form.text('wish')} />
    </>
  )
}

/** Adds a person who agreed to be contacted. Asks how and when, because nobody may be called without consent. */
export function AddLeadDialog({ onAdded, onClose }: { onAdded: (id: string) => void; onClose: () => void }) {
  const { t } = useTranslation('leads')
  const language = useLanguage()
  const form = useForm({
    call: createLead,
    start: { ...empty, consentHow: '', consentOn: universityCalendar().dayOf(new Date()) as string | null },
    body: bodyOf,
    done: ({ data }, { name }) => t(data.isNew ? 'form.added' : 'form.known', { name }),
    onDone: ({ data }) => {
      onClose()
      onAdded(data.id)
    },
  })
  return (
    <DialogForm title={t('form.add')} form={form} submit={t('form.add')} onClose={onClose}>
      <DetailFields form={form} />
      <Textarea
        label={t('form.consentHow')}
        description={t('form.consentHowHelp')}
        autosize
        minRows={2}
        {...form.text('consentHow')}
      />
      <DatePickerInput
        label={t('form.consentOn')}
        locale={language}
        maxDate={universityCalendar().dayOf(new Date())}
        {...form.value('consentOn')}
      />
    </DialogForm>
  )
}

export function EditLeadDialog({ lead, onClose }: { lead: FullLead; onClose: () => void }) {
  const { t } = useTranslation('leads')
  const { id, version } = lead
  const form = useForm({
    call: updateLead,
    params: { id },
    start: {
      name: lead.name,
      phone: lead.phone ? formatPhone(lead.phone) : '',
      email: lead.email ?? '',
      birthDate: lead.birthDate,
      schoolId: lead.schoolId,
      schoolName: lead.schoolName ?? '',
      major: lead.major ?? '',
      programmeId: lead.programmeId,
      wish: lead.wish ?? '',
    },
    body: (values: Values) => ({ ...bodyOf(values), version }),
    done: t('form.saved'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('form.editTitle')} form={form} submit={t('form.save')} onClose={onClose}>
      <DetailFields form={form} />
    </DialogForm>
  )
}
