import { Alert, Button, Loader, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { emailProblem, nameProblem, newPasswordProblem, repeatedPasswordProblem } from '#domain/accounts/fields.ts'
import { becomeAdministrator, checkSetup } from '#domain/accounts/setup-endpoints.ts'
import type { Answer } from '#domain/endpoint.ts'
import { dateTime } from '#locales/format.ts'
import { zoneName } from '#locales/zone-name.ts'
import { type ApiError, call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useLanguage } from '#web/shell/language.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { rememberArrival } from './arrival.ts'
import { PasswordMeter } from './password-meter.tsx'
import { useFields } from './use-fields.ts'

/** First page for an administrator after setting up two-factor sign-in. */
const firstPage = '/settings/opening'

/** Target of the address printed by the server: creates an administrator and continues to two-factor sign-in. */
export default function SetupPage() {
  const { t } = useTranslation('staff-accounts')
  const { secret = '' } = useParams()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [checkSetup.path, secret],
    queryFn: () => call(checkSetup, { body: { token: secret } }),
    refetchOnWindowFocus: false,
    meta: { quietAs: 'setup' },
  })
  if (isPending)
    return (
      <Stack align="center" py="xl" role="status">
        <Loader />
        <Text>{t('setup.loading')}</Text>
      </Stack>
    )
  if (data) return <SetupForm secret={secret} link={data.data} />
  return isLinkRefusal(error) ? <LinkRefused refusal={error} /> : <LoadFailed error={error} onRetry={refetch} />
}

const sentences = { link_used: 'used', link_expired: 'expired', link_invalid: 'invalid' } as const
type LinkRefusal = ApiError & { code: keyof typeof sentences }

const isLinkRefusal = (error: unknown): error is LinkRefusal => ((error as ApiError | null)?.code ?? '') in sentences

function LinkRefused({ refusal }: { refusal: LinkRefusal }) {
  const { t } = useTranslation('staff-accounts')
  return (
    <Stack gap="lg">
      <Title order={1}>{t('setup.failed')}</Title>
      <Alert color="red" variant="light" role="alert">
        {t(`setup.${sentences[refusal.code]}`)}
      </Alert>
      <Button component={Link} to="/sign-in" variant="default">
        {t('invitation.toSignIn')}
      </Button>
    </Stack>
  )
}

type FormProps = { secret: string; link: Answer<typeof checkSetup>['data'] }

function SetupForm({ secret, link }: FormProps) {
  const { t } = useTranslation('staff-accounts')
  const language = useLanguage()
  const { signIn } = useSession()
  const fields = useFields(
    { name: link.name ?? '', email: link.email ?? '', password: '', password_confirmation: '' },
    ({ name, email, password, password_confirmation }) => ({
      name: nameProblem(name),
      email: emailProblem(email),
      password: newPasswordProblem(password, email.trim()),
      password_confirmation: repeatedPasswordProblem(password, password_confirmation),
    }),
  )
  const send = fields.submit(async (values) => {
    const answer = await sendOnce(becomeAdministrator, {
      body: { ...values, email: values.email.trim(), token: secret, language },
    })
    rememberArrival(`?next=${firstPage}`)
    // The session requires two-factor sign-in, so the frame opens its set-up.
    await signIn(answer)
  })
  if (isLinkRefusal(fields.refusal)) return <LinkRefused refusal={fields.refusal} />
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{t(link.name ? 'setup.titleBack' : 'setup.title')}</Title>
        <Text mt={4}>{link.name ? t('setup.leadBack', { email: link.email }) : t('setup.lead')}</Text>
        <Text c="dimmed" mt={4}>
          {t('setup.until', { until: `${dateTime(link.expiresAt, language)} ${zoneName()}` })}
        </Text>
      </div>
      <form onSubmit={send} ref={fields.form} noValidate>
        <Stack gap="md">
          <TextInput label={t('setup.name')} autoComplete="name" {...fields.text('name')} />
          <TextInput
            label={t('setup.email')}
            description={t('setup.emailHint')}
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={link.email !== null}
            {...fields.text('email')}
          />
          <PasswordInput label={t('setup.password')} autoComplete="new-password" {...fields.text('password')} />
          <PasswordMeter password={fields.values.password} />
          <PasswordInput
            label={t('setup.repeat')}
            autoComplete="new-password"
            {...fields.text('password_confirmation')}
          />
          <Failure>{fields.formError}</Failure>
          <Button type="submit" loading={fields.busy} fullWidth>
            {t('setup.submit')}
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
