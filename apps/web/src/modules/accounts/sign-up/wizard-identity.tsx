import { Button, Group, Input, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldProblem, nameProblem, phoneProblem } from '#domain/accounts/fields.ts'
import { formatPhone } from '#domain/accounts/phone.ts'
import { updateProfile } from '#domain/applicants/endpoints.ts'
import { genders } from '#domain/applicants/profile.ts'
import { monthsFor } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useFields } from '#web/modules/accounts/use-fields.ts'
import { useLanguage } from '#web/shell/language.ts'
import { draftPrefix } from '#web/ui/form/forget-drafts.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { readStored, writeStored } from '#web/ui/stored.ts'
import classes from './wizard.module.css'

const draftKey = (account: string) => `${draftPrefix}${account}:sign-up-identity`
const empty = { fullName: '', birthPlace: '', day: '', month: '', year: '', gender: '', phone: '' }
type Draft = typeof empty

const readDraft = (account: string) => readStored<Partial<Draft>>('localStorage', draftKey(account)) ?? {}
const writeDraft = (account: string, draft: Draft | null) => void writeStored('localStorage', draftKey(account), draft)

/** Null for a date that does not exist, such as `2008-02-30`, or is in the future. */
function birthDateOf({ year, month, day }: { year: string; month: string; day: string }): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && date < new Date() ? text : null
}

const checkFilled = (value: string): FieldProblem | null => (value.trim() === '' ? 'field_required' : null)
const numbers = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from < to ? from + index : from - index))

type Props = {
  accountId: string
  name: string
  email: string
  phone: string | null
  onSaved: () => Promise<void>
  submitLabel?: string
}

/** The minimum answers for a profile; the account asks for the others later. */
export function IdentityStep({ accountId, name, email, phone, onSaved }: Props) {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const start = { ...empty, fullName: name, phone: phone ? formatPhone(phone) : '' }
  const fields = useFields(
    { ...start, ...readDraft(accountId) },
    (values) => ({
      fullName: nameProblem(values.fullName),
      birthPlace: checkFilled(values.birthPlace),
      day: checkFilled(values.day),
      month: checkFilled(values.month),
      year:
        checkFilled(values.year) ?? (values.day && values.month && !birthDateOf(values) ? 'birth_date_invalid' : null),
      gender: checkFilled(values.gender),
      phone: phoneProblem(values.phone),
    }),
    start,
  )
  const { values } = fields
  useEffect(() => writeDraft(accountId, values), [values, accountId])

  const send = fields.submit(async ({ fullName, birthPlace, gender, phone, ...date }) => {
    try {
      await sendOnce(updateProfile, {
        body: { fullName, birthPlace, birthDate: birthDateOf(date), gender: gender as 'male' | 'female', phone },
      })
    } catch (error) {
      // On a slow connection the form may be sent twice: the first request has created the profile.
      if (!(error instanceof ApiError) || error.code !== 'stale_version') throw error
    }
    writeDraft(accountId, null)
    await onSaved()
  })

  const months = monthsFor(language, 'long').map((label, index) => ({ value: String(index + 1), label }))
  const year = new Date().getFullYear()
  const part = (
    name: 'day' | 'month' | 'year',
    label: string,
    data: (string | { value: string; label: string })[],
    autoComplete: string,
  ) => (
    <NativeSelect
      {...fields.text(name)}
      error={fields.text(name).error !== undefined}
      size="md"
      aria-label={label}
      autoComplete={autoComplete}
      data={[{ value: '', label }, ...data]}
    />
  )
  const dateError = fields.text('day').error ?? fields.text('month').error ?? fields.text('year').error

  return (
    <form onSubmit={send} ref={fields.form} noValidate>
      <Stack gap="md">
        <Text c="dimmed">{t('wizard.identityLead')}</Text>
        <TextInput label={t('fields.name')} autoComplete="name" {...fields.text('fullName')} />
        <TextInput label={t('wizard.birthPlace')} {...fields.text('birthPlace')} />
        <Input.Wrapper label={t('wizard.birthDate')} error={dateError} labelElement="div" size="md">
          <div className={classes.date} role="group" aria-label={t('wizard.birthDate')}>
            {part('day', t('wizard.birthDay'), numbers(1, 31), 'bday-day')}
            {part('month', t('wizard.birthMonth'), months, 'bday-month')}
            {part('year', t('wizard.birthYear'), numbers(year - 13, year - 80), 'bday-year')}
          </div>
        </Input.Wrapper>
        <Radio.Group
          label={t('wizard.gender')}
          size="md"
          value={values.gender}
          onChange={(gender) => fields.set({ gender })}
          error={fields.text('gender').error}
        >
          <Group gap="lg" mt="xs">
            {genders.map((gender) => (
              <Radio key={gender} value={gender} label={t(`wizard.${gender}`)} />
            ))}
          </Group>
        </Radio.Group>
        <TextInput label={t('fields.phone')} type="tel" inputMode="tel" autoComplete="tel" {...fields.text('phone')} />
        <TextInput label={t('fields.email')} value={email} readOnly variant="filled" />
        <Failure>{fields.formError}</Failure>
        <Button type="submit" loading={fields.busy} fullWidth>
          {t('wizard.next')}
        </Button>
      </Stack>
    </form>
  )
}
