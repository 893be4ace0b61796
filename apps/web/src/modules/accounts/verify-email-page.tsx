import { Alert, Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeEmail, emailVerification, resendVerification } from '#domain/accounts/endpoints.ts'
import { emailProblem } from '#domain/accounts/fields.ts'
import type { Answer } from '#domain/endpoint.ts'
import { ApiError, call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { useCountdown } from './use-countdown.ts'
import { useFields } from './use-fields.ts'

const lookAgainMs = 10_000

export default function VerifyEmailPage() {
  const { t } = useTranslation(['accounts', 'account-settings'])
  const { user, refresh, signOut } = useSession()
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: [emailVerification.path],
    queryFn: ({ signal }) => call(emailVerification, {}, { signal }),
    // The link is often opened on another device, so poll until the address is confirmed.
    refetchInterval: ({ state }) => (state.status === 'error' || state.data?.data.verified ? false : lookAgainMs),
  })
  const [secondsLeft, start] = useCountdown()
  const [note, setNote] = useState<{ good: boolean; text: string } | null>(null)
  const [busy, setBusy] = useState<'resend' | 'check' | null>(null)
  const [isChanging, setIsChanging] = useState(false)
  const state = data?.data
  const email = state?.email ?? user?.email ?? ''

  useEffect(() => {
    if (state) start(state.waitSeconds)
  }, [state, start])

  const applyAnswer = (answer: Awaited<ReturnType<typeof call<typeof emailVerification>>>) =>
    queries.setQueryData([emailVerification.path], answer)

  const resend = async () => {
    setBusy('resend')
    setNote(null)
    try {
      applyAnswer(await sendOnce(resendVerification))
      setNote({ good: true, text: t('verify.resent') })
    } catch (error) {
      setNote({ good: false, text: error instanceof ApiError ? error.message : '' })
      void queries.invalidateQueries({ queryKey: [emailVerification.path] })
    }
    setBusy(null)
  }
  const check = async () => {
    setBusy('check')
    setNote(null)
    try {
      const answer = await call(emailVerification)
      applyAnswer(answer)
      if (!answer.data.verified) setNote({ good: false, text: t('verify.notYet') })
    } catch (error) {
      setNote({ good: false, text: error instanceof ApiError ? error.message : '' })
    }
    setBusy(null)
  }

  // Refresh the session only when the reader continues: the refreshed session redirects away from here.
  if (state?.verified)
    return (
      <Stack gap="lg" role="status">
        <Title order={1}>{t('confirmEmail.done')}</Title>
        <Text style={{ overflowWrap: 'anywhere' }}>{t('confirmEmail.doneText', { email })}</Text>
        <Button onClick={() => void refresh()}>{t('confirmEmail.next')}</Button>
      </Stack>
    )

  return (
    <Stack gap="lg">
      <Title order={1}>{t('verify.title')}</Title>
      <div>
        <Text style={{ overflowWrap: 'anywhere' }}>{t('verify.sent', { email })}</Text>
        <Text c="dimmed" mt="xs">
          {t('verify.why')} {t('verify.spam')}
        </Text>
      </div>
      {note && (
        <Alert variant="light" color={note.good ? 'green' : 'orange'} role="status">
          {note.text}
        </Alert>
      )}
      <Stack gap="sm">
        <Button onClick={check} loading={busy === 'check'} fullWidth>
          {t('verify.checkAgain')}
        </Button>
        <Button variant="default" onClick={resend} disabled={secondsLeft > 0} loading={busy === 'resend'} fullWidth>
          {secondsLeft > 0 ? t('verify.resendIn', { seconds: secondsLeft }) : t('verify.resend')}
        </Button>
      </Stack>
      {isChanging ? (
        <NewAddress
          onCancel={() => setIsChanging(false)}
          onSent={(answer) => {
            applyAnswer(answer)
            setIsChanging(false)
            void refresh()
          }}
        />
      ) : (
        <Group justify="space-between">
          <Anchor component="button" type="button" onClick={() => setIsChanging(true)}>
            {t('verify.change')}
          </Anchor>
          <Anchor component="button" type="button" onClick={() => void signOut()}>
            {t('wizard.notYou')}
          </Anchor>
        </Group>
      )}
    </Stack>
  )
}

function NewAddress({
  onSent,
  onCancel,
}: {
  onSent: (answer: Answer<typeof changeEmail>) => void
  onCancel: () => void
}) {
  const { t } = useTranslation(['accounts', 'account-settings'])
  const fields = useFields({ email: '' }, ({ email }) => ({ email: emailProblem(email) }))
  const send = fields.submit(async ({ email }) =>
    onSent(await sendOnce(changeEmail, { body: { email: email.trim() } })),
  )
  return (
    <form onSubmit={send} ref={fields.form} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t('account-settings:newEmail')}
          description={t('verify.changeHint')}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...fields.text('email')}
        />
        <Failure>{fields.formError}</Failure>
        <Group>
          <Button type="submit" loading={fields.busy}>
            {t('verify.saveAddress')}
          </Button>
          <Button variant="subtle" onClick={onCancel}>
            {t('verify.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
