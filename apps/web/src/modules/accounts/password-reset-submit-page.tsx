import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { resetPassword } from '#domain/accounts/endpoints.ts'
import { newPasswordProblem, repeatedPasswordProblem } from '#domain/accounts/fields.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { PasswordMeter } from './password-meter.tsx'
import { useFields } from './use-fields.ts'

export default function PasswordResetSubmitPage() {
  const { t } = useTranslation('accounts')
  const { token = '' } = useParams()
  const { signedIn, signOut } = useSession()
  const [done, setDone] = useState(false)
  const fields = useFields({ password: '', password_confirmation: '' }, ({ password, password_confirmation }) => ({
    password: newPasswordProblem(password),
    password_confirmation: repeatedPasswordProblem(password, password_confirmation),
  }))
  const send = fields.submit(async (values) => {
    await sendOnce(resetPassword, { body: { token, ...values } })
    setDone(true)
    if (signedIn) await signOut()
  })
  const badLink = fields.refusal?.errors.token !== undefined

  if (done)
    return (
      <Stack gap="lg">
        <Title order={1}>{t('reset.title')}</Title>
        <Alert variant="light" color="green" role="status">
          {t('reset.done')}
        </Alert>
        <Button component={Link} to="/sign-in">
          {t('signIn.submit')}
        </Button>
      </Stack>
    )

  return (
    <Stack gap="lg">
      <Title order={1}>{badLink ? t('reset.failed') : t('reset.title')}</Title>
      <Failure>{fields.formError}</Failure>
      {badLink ? (
        <Button component={Link} to="/password-reset">
          {t('reset.newLink')}
        </Button>
      ) : (
        <form onSubmit={send} ref={fields.form} noValidate>
          <Stack gap="md">
            <Text c="dimmed">{t('reset.lead')}</Text>
            <PasswordInput label={t('fields.newPassword')} autoComplete="new-password" {...fields.text('password')} />
            <PasswordMeter password={fields.values.password} />
            <PasswordInput
              label={t('fields.repeatPassword')}
              autoComplete="new-password"
              {...fields.text('password_confirmation')}
            />
            <Button type="submit" loading={fields.busy} fullWidth>
              {t('reset.submit')}
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
