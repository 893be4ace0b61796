import { Button, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { verifyEmail } from '#domain/accounts/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { currentSession } from '#web/shell/session/session-store.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { takeReturnPath } from './arrival.ts'

/** Target of a confirmation mail. Mail scanners open links, so only the button confirms the address. */
export default function ConfirmEmailPage() {
  const { t } = useTranslation('accounts')
  const { token = '' } = useParams()
  const { user } = useSession()
  const confirm = useMutation({ mutationFn: () => sendOnce(verifyEmail, { body: { token } }) })

  if (confirm.data) return <Confirmed {...confirm.data.data} />
  const isRefused = confirm.error instanceof ApiError && confirm.error.status === 410
  return (
    <Stack gap="lg">
      <Title order={1}>{t(isRefused ? 'confirmEmail.failed' : 'verify.title')}</Title>
      <Failure>{confirm.error?.message}</Failure>
      {!isRefused && (
        <>
          <Text>{t('confirmEmail.lead')}</Text>
          <Button size="lg" fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('confirmEmail.confirm')}
          </Button>
        </>
      )}
      {isRefused && (
        <Button component={Link} to={!user ? '/sign-in' : user.email_verified_at ? '/dashboard' : '/verify-email'}>
          {t(
            !user ? 'confirmEmail.signInForNew' : user.email_verified_at ? 'confirmEmail.next' : 'confirmEmail.newLink',
          )}
        </Button>
      )}
    </Stack>
  )
}

/** Shown until the reader continues. No redirect applies on this page, so the session may be refreshed at once. */
function Confirmed({ email, changed, already }: { email: string; changed: boolean; already: boolean }) {
  const { t } = useTranslation('accounts')
  const { user, refresh } = useSession()
  const navigate = useNavigate()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the address is confirmed
  useEffect(() => {
    if (user) void refresh().catch(() => {})
  }, [])
  const goOn = async () => {
    await refresh().catch(() => {})
    navigate((currentSession().profile && takeReturnPath()) || '/dashboard')
  }
  return (
    <Stack gap="lg" role="status">
      <Title order={1} ref={heading} tabIndex={-1}>
        {t(already ? 'confirmEmail.already' : 'confirmEmail.done')}
      </Title>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {t(changed ? 'confirmEmail.changed' : 'confirmEmail.doneText', { email })}
      </Text>
      {user ? (
        <Button onClick={goOn}>{t('confirmEmail.next')}</Button>
      ) : (
        <>
          <Text>{t('confirmEmail.otherDevice')}</Text>
          <Button component={Link} to="/sign-in" variant="default">
            {t('confirmEmail.signIn')}
          </Button>
        </>
      )}
    </Stack>
  )
}
