import { Checkbox, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { grades } from '#domain/events/events.ts'
import { type OpenEvent, registerVisitor } from '#domain/events/public-endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { newId } from '#web/offline/new-id.ts'
import { PageForm } from '#web/ui/form/form.tsx'
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
  const open = event.sessions.filter(({ startsAt }) => Date.parse(startsAt) > Date.now())
  const form = useForm({
    call: registerVisitor,
    params: { slug: event.slug },
    start: () => ({
      // One id per form: a registration sent again after a lost response is the same one.
      id: newId(),
      sessionId: open.length === 1 ? open[0]!.id : null,
      name: '',
      phone: '',
      email: '',
      school: '',
      grade: null as (typeof grades)[number] | null,
      wish: '',
      consent: false,
    }),
    body: (values) => ({ ...values, language, ref: referral }),
    onDone: ({ data }) => (data.code === null ? onSentAgain() : onRegistered(data.code)),
  })
  const chosen = open.find((session) => session.id === form.values.sessionId)
  return (
    <PageForm form={form} submit={t(chosen?.seatsLeft === 0 ? 'public.registerWaiting' : 'public.register')}>
      {open.length > 1 && (
        <Radio.Group label={t('public.session')} {...form.value('sessionId')}>
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
      <TextInput label={t('public.name')} autoComplete="name" {...form.text('name')} />
      <TextInput type="tel" label={t('public.phone')} autoComplete="tel" {...form.text('phone')} />
      <TextInput
        type="email"
        label={t('public.email')}
        description={t('public.emailHint')}
        autoComplete="email"
        {...form.text('email')}
        withAsterisk={false}
      />
      <TextInput
        label={t('public.school')}
        description={event.school ? t('public.schoolHint', { school: event.school }) : undefined}
        {...form.text('school')}
      />
      <Select
        label={t('public.grade')}
        clearable
        data={grades.map((value) => ({ value, label: t(`grade.${value}`) }))}
        {...form.value('grade')}
      />
      <Textarea label={t('public.wish')} autosize minRows={2} {...form.text('wish')} />
      <Checkbox label={t('public.consent', { university: event.university })} {...form.box('consent')} />
    </PageForm>
  )
}
