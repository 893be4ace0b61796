import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { forgotPassword } from '#domain/accounts/endpoints.ts'
import { emailProblem } from '#domain/accounts/fields.ts'
import { sendOnce } from '#web/api/send.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { useFields } from './use-fields.ts'

export default function PasswordResetPage() {
  const { t } = useTranslation('accounts')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const fields = useFields({ email: '' }, ({ email }) => ({ email: emailProblem(email) }))
  const send = fields.submit(async ({ email }) => {
    await sendOnce(forgotPassword, { body: { email: email.trim() } })
    setSentTo(email.trim())
  })

  return (
    <Stack gap="lg">
      <Title order={1}>{sentTo ? t('forgot.sentTitle') : t('forgot.title')}</Title>
      {sentTo ? (
        <>
          <Alert variant="light" color="green" role="status" style={{ overflowWrap: 'anywhere' }}>
            {t('forgot.sent', { email: sentTo })}
          </Alert>
          <Text c="dimmed">{t('verify.spam')}</Text>
          <Anchor component="button" type="button" onClick={() => setSentTo(null)} ta="left">
            {t('forgot.again')}
          </Anchor>
        </>
      ) : (
        <form onSubmit={send} ref={fields.form} noValidate>
          <Stack gap="md">
            <Text c="dimmed">{t('forgot.lead')}</Text>
            <TextInput
              label={t('fields.email')}
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              {...fields.text('email')}
            />
            <Failure>{fields.unsaid}</Failure>
            <Button type="submit" loading={fields.busy} fullWidth>
              {t('forgot.submit')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to="/sign-in">
        {t('forgot.back')}
      </Anchor>
    </Stack>
  )
}
