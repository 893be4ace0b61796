import { Alert, Anchor, Loader, Stack, Text, Title } from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { googleExchange } from '#domain/accounts/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { rememberArrival } from './arrival.ts'
import { GoogleButton } from './google-button.tsx'
import { useAuthOptions } from './use-auth-options.ts'

const CodeStep = lazyPart(() => import('./code-step.tsx'))

/** Target of Google's redirect: exchanges the one-time code for a session and removes the code from the address bar. */
export default function GooglePage() {
  const { t, i18n } = useTranslation('accounts')
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const { signedIn, signIn } = useSession()
  const { data: options, isPending } = useAuthOptions()
  const [landing] = useState(() => {
    rememberArrival(search)
    const answer = new URLSearchParams(hash.slice(1))
    return { code: answer.get('code'), error: answer.get('error') }
  })
  const [failure, setFailure] = useState(() => landing.error)
  const [message, setMessage] = useState<string | null>(null)
  const [isWorking, setIsWorking] = useState(landing.code !== null)
  const [asksCode, setAsksCode] = useState(false)
  const hasStarted = useRef(false)

  useEffect(() => {
    if (hash) navigate('/sign-in-google', { replace: true })
    const { code } = landing
    if (!code || hasStarted.current) return
    hasStarted.current = true
    sendOnce(googleExchange, { body: { code } })
      .then(signIn)
      .catch((error) => {
        if (error instanceof ApiError && error.code === 'totp_required') return setAsksCode(true)
        setFailure(error instanceof ApiError ? error.code : 'google_failed')
        setMessage(error instanceof ApiError ? error.message : null)
        setIsWorking(false)
      })
  }, [hash, landing, navigate, signIn])

  // The sign-in page stores the study choice and redirects to the return path.
  if (signedIn) return <Navigate to="/sign-in" replace />

  const { code } = landing
  if (asksCode && code && !failure)
    return (
      <Suspense fallback={<Loader />}>
        <CodeStep
          onCode={async (totp) => signIn(await sendOnce(googleExchange, { body: { code, totp } }))}
          onBack={() => navigate('/sign-in')}
        />
      </Suspense>
    )

  const sentence = failure
    ? i18n.exists(`accounts:google.errors.${failure}`)
      ? t(`google.errors.${failure as 'google_failed'}`)
      : (message ?? t('google.errors.google_failed'))
    : undefined

  return (
    <Stack gap="lg">
      <Title order={1}>{failure ? t('google.failed') : t('google.title')}</Title>
      {isWorking || isPending ? (
        <Stack align="center" py="xl" role="status">
          <Loader />
          {isWorking && <Text>{t('google.working')}</Text>}
        </Stack>
      ) : (
        <>
          <Failure>{sentence}</Failure>
          {options?.data.google ? (
            <>
              {!failure && <Text>{t('google.lead')}</Text>}
              <GoogleButton label={failure ? t('google.again') : t('signIn.google')} />
            </>
          ) : (
            !failure && (
              <Alert variant="light" color="gray">
                {t('google.absent')}
              </Alert>
            )
          )}
          <Anchor component={Link} to="/sign-in">
            {t('google.back')}
          </Anchor>
        </>
      )}
    </Stack>
  )
}
