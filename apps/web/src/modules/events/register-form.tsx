import { Checkbox, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { grades } from '#domain/events/events.ts'
import { type OpenEvent, registerVisitor } from '#domain/events/public-endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { newId } from '#web/offline/new-id.ts'
import { PageForm } from '#web/ui/form/form.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { sessionText } from './session-text.ts'

type Props = {
  event: OpenEvent & { university: string }
  /** Code of the affiliate whose link the visitor used. */
  referral: string | null
  onRegistered: (code: string) => void
  onSentAgain: () => void
}

/** Registers a visitor without an account. */
export function RegisterForm({ event, referral, onRegistered, onSentAgain }: Props) {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  // One id per form: a registration sent again after a lost response is the same one.
  const [id] = useState(newId)
  const open = event.sessions.filter(({ startsAt }) => Date.parse(startsAt) > Date.now())
  const { values, set, text, box } = useValues({
    sessionId: open.length === 1 ? open[0]!.id : null,
    name: '',
    phone: '',
    email: '',
    school: '',
    grade: null as (typeof grades)[number] | null,
    wish: '',
    consent: false,
  })
  const chosen = open.find((session) => session.id === values.sessionId)
  const form = useForm({
    call: registerVisitor,
    params: { slug: event.slug },
    body: { ...values, id, language, ref: referral },
    onDone: ({ data }) => (data.code === null ? onSentAgain() : onRegistered(data.code)),
  })
  return (
    <PageForm form={form} submit={t(chosen?.seatsLeft === 0 ? 'public.registerWaiting' : 'public.register')}>
      {open.length > 1 && (
        <Radio.Group
          label={t('public.session')}
          value={values.sessionId}
          {...form.field('sessionId')}
          onChange={(sessionId) => set({ sessionId })}
        >
          <Stack gap="xs" mt="xs">
            {open.map((session) => (
              <Radio
                key={session.id}
                value={session.id}
                label={sessionText(session, language)}
                description={session.seatsLeft > 0 ? t('public.seats', { count: session.seatsLeft }) : t('public.full')}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <TextInput label={t('public.name')} autoComplete="name" {...text('name')} {...form.field('name')} />
      <TextInput type="tel" label={t('public.phone')} autoComplete="tel" {...text('phone')} {...form.field('phone')} />
      <TextInput
        type="email"
        label={t('public.email')}
        description={t('public.emailHint')}
        autoComplete="email"
        {...text('email')}
        {...form.field('email')}
        withAsterisk={false}
      />
      <TextInput
        label={t('public.school')}
        description={event.school ? t('public.schoolHint', { school: event.school }) : undefined}
        {...text('school')}
        {...form.field('school')}
      />
      <Select
        label={t('public.grade')}
        clearable
        data={grades.map((value) => ({ value, label: t(`grade.${value}`) }))}
        value={values.grade}
        {...form.field('grade')}
        onChange={(grade) => set({ grade: grade as (typeof grades)[number] | null })}
      />
      <Textarea label={t('public.wish')} autosize minRows={2} {...text('wish')} {...form.field('wish')} />
      <Checkbox
        label={t('public.consent', { university: event.university })}
        {...box('consent')}
        {...consentField(form.field('consent'))}
      />
    </PageForm>
  )
}

/** Check boxes accept no limits and no asterisk. */
const consentField = ({
  error,
  wrapperProps,
}: {
  error: string | undefined
  wrapperProps: { 'data-field': string }
}) => ({
  error,
  wrapperProps,
})
