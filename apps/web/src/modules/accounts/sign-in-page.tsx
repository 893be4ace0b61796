import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { login } from '#domain/accounts/endpoints.ts'
import { emailProblem } from '#domain/accounts/fields.ts'
import { redirectFor } from '#domain/accounts/redirect.ts'
import { ApiError } from '#web/api/client.ts'
import { readDashboardEarly } from '#web/api/read-dashboard-early.ts'
import { sendOnce } from '#web/api/send.ts'
import { AuthAside } from '#web/shell/auth-aside.tsx'
import { firstForm, useTakeOver } from '#web/shell/first-form.ts'
import { useLanguage } from '#web/shell/language.ts'
import { loadPageAfterSignIn } from '#web/shell/next-page.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { keptReturnPath, rememberArrival, takeReturnPath } from './arrival.ts'
import { GoogleButton } from './google-button.tsx'
import { prospectusPath } from './prospectus-path.ts'
import { keepStudyChoice } from './sign-up/keep-study-choice.ts'
import { useAuthOptions } from './use-auth-options.ts'
import { useFields } from './use-fields.ts'

const OpenWaves = lazyPart(() => import('./sign-up/open-waves.tsx'))
const CodeStep = lazyPart(() => import('./code-step.tsx'))

export default function SignInPage() {
  const { t } = useTranslation('accounts')
  const { search } = useLocation()
  const navigate = useNavigate()
  const { signedIn, signIn, endedBecause } = useSession()
  const { data: options } = useAuthOptions({ enabled: !signedIn })
  const language = useLanguage()
  useState(() => rememberArrival(search))
  // An address left open or reloaded would renew the return path.
  useEffect(() => {
    if (search && !signedIn) navigate('/sign-in', { replace: true })
  }, [search, signedIn, navigate])
  const [first] = useState(firstForm)
  const [refusal, setRefusal] = useState(first?.failure)
  const fields = useFields(
    { email: first?.values.email ?? '', password: first?.values.password ?? '' },
    ({ email, password }) => ({
      email: emailProblem(email),
      password: password === '' ? 'field_required' : null,
    }),
  )

  useTakeOver(fields.set, fields.form, loadPageAfterSignIn)

  const [asksCode, setAsksCode] = useState(false)

  if (signedIn) return <Onward />

  const enter = async ({ email, password }: typeof fields.values, code?: string) => {
    const answer = await sendOnce(login, { body: { email: email.trim(), password, ...(code && { code }) } })
    if (!keptReturnPath() && !answer.totp_setup_required) readDashboardEarly(answer.access_token)
    await signIn(answer)
  }
  const send = fields.submit((values) => {
    setRefusal(null)
    return enter(values).catch((error) => {
      if (!(error instanceof ApiError && error.code === 'totp_required')) throw error
      setAsksCode(true)
    })
  })
  if (asksCode)
    return (
      <Suspense fallback={<Skeleton height={240} />}>
        <CodeStep onCode={(code) => enter(fields.values, code)} onBack={() => setAsksCode(false)} />
      </Suspense>
    )

  return (
    <>
      <Stack gap="lg">
        <div>
          <Title order={1}>{t('signIn.title')}</Title>
          <Text c="dimmed" mt={4}>
            {t(endedBecause ? 'signIn.ended' : keptReturnPath() ? 'signIn.returnHint' : 'signIn.lead')}
          </Text>
        </div>
        <form method="post" onSubmit={send} ref={fields.form} noValidate>
          <Stack gap="md">
            <Failure>{fields.formError ?? refusal ?? endedBecause}</Failure>
            <TextInput
              label={t('fields.email')}
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              withAsterisk={false}
              {...fields.text('email')}
            />
            <PasswordInput
              label={t('fields.password')}
              autoComplete="current-password"
              onFocus={loadPageAfterSignIn}
              required
              withAsterisk={false}
              {...fields.text('password')}
            />
            {first?.asksCode && (
              <TextInput
                label={t('staff-accounts:codeStep.code')}
                name="code"
                autoComplete="one-time-code"
                autoCapitalize="none"
                maxLength={20}
              />
            )}
            <Group justify="flex-end">
              <Anchor component={Link} to="/password-reset" size="sm">
                {t('signIn.forgot')}
              </Anchor>
            </Group>
            <Button type="submit" loading={fields.busy} fullWidth>
              {t('signIn.submit')}
            </Button>
          </Stack>
        </form>
        {options?.data.google && <GoogleButton label={t('signIn.google')} divided />}
        <Text>
          {t('signIn.noAccount')}{' '}
          <Anchor component={Link} to="/sign-up">
            {t('signIn.signUp')}
          </Anchor>
        </Text>
        <Anchor href={prospectusPath(language)}>{t('signIn.prospectus')}</Anchor>
      </Stack>
      <AuthAside>
        <Suspense fallback={<Skeleton height={72} maw={640} />}>
          <OpenWaves />
        </Suspense>
      </AuthAside>
    </>
  )
}

/**
 * Redirects a signed-in visitor to the return path. A forced redirect, such as the two-factor set-up, comes first and
 * keeps the path.
 */
function Onward() {
  const { user, profile, mustSetUpTotp } = useSession()
  const [target] = useState(() => {
    const visitor = user && {
      emailVerified: user.email_verified_at !== null,
      roleName: user.role.name,
      hasProfile: profile !== null,
      mustSetUpTotp,
    }
    const next = keptReturnPath() ?? '/dashboard'
    // The link of the confirmation mail is the only page that opens before the address is confirmed.
    if (redirectFor('dashboard', visitor) === null || next.startsWith('/verify-email/')) takeReturnPath()
    return next
  })
  useEffect(() => void keepStudyChoice(), [])
  return <Navigate to={target} replace />
}
