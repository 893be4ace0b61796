import { Alert, Button, Loader, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { acceptInvitation, checkInvitation } from '#domain/accounts/entrance-endpoints.ts'
import { newPasswordProblem, repeatedPasswordProblem } from '#domain/accounts/fields.ts'
import { dateTime } from '#locales/format.ts'
import { call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useLanguage } from '#web/shell/language.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { PasswordMeter } from './password-meter.tsx'
import { useFields } from './use-fields.ts'

/** Target of an invitation mail: sets the first password and signs in. */
export default function InvitationPage() {
  const { t } = useTranslation('staff-accounts')
  const language = useLanguage()
  const { token = '' } = useParams()
  const { signIn } = useSession()
  const navigate = useNavigate()
  const {
    data,
    error,
    isPending: isReading,
  } = useQuery({
    queryKey: [checkInvitation.path, token],
    queryFn: () => call(checkInvitation, { body: { token } }),
    refetchOnWindowFocus: false,
    meta: { quietAs: 'invitation' },
  })
  const fields = useFields({ password: '', password_confirmation: '' }, ({ password, password_confirmation }) => ({
    password: newPasswordProblem(password, data?.data.email),
    password_confirmation: repeatedPasswordProblem(password, password_confirmation),
  }))
  const send = fields.submit(async (values) => {
    await signIn(await sendOnce(acceptInvitation, { body: { token, ...values } }))
    navigate('/dashboard', { replace: true })
  })

  if (isReading)
    return (
      <Stack align="center" py="xl" role="status">
        <Loader />
        <Text>{t('invitation.loading')}</Text>
      </Stack>
    )
  const refusal = error ?? (fields.refusal?.errors.token ? fields.refusal : null)
  if (refusal || !data)
    return (
      <Stack gap="lg">
        <Title order={1}>{t('invitation.failed')}</Title>
        <Alert color="red" variant="light" role="alert">
          {refusal?.message}
        </Alert>
        <Text>{t('invitation.ask')}</Text>
        <Button component={Link} to="/sign-in" variant="default">
          {t('invitation.toSignIn')}
        </Button>
      </Stack>
    )
  const { name, email, role, expiresAt } = data.data
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{t('invitation.title', { name })}</Title>
        <Text mt={4}>{t('invitation.lead', { role, email })}</Text>
        <Text c="dimmed" mt={4}>
          {t('invitation.until', { until: dateTime(expiresAt, language) })}
        </Text>
      </div>
      <form onSubmit={send} ref={fields.form} noValidate>
        <Stack gap="md">
          {/* Tells password managers which account the password belongs to. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput label={t('invitation.password')} autoComplete="new-password" {...fields.text('password')} />
          <PasswordMeter password={fields.values.password} />
          <PasswordInput
            label={t('invitation.repeat')}
            autoComplete="new-password"
            {...fields.text('password_confirmation')}
          />
          <Failure>{fields.formError}</Failure>
          <Button type="submit" loading={fields.busy} fullWidth>
            {t('invitation.submit')}
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
