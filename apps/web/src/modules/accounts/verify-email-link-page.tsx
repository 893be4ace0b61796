import { Anchor, Button, Loader, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { verifyEmail } from '#domain/accounts/endpoints.ts'
import type { Answer } from '#domain/endpoint.ts'
import { ApiError } from '../../api/client.ts'
import { sendOnce } from '../../api/send.ts'
import { useSession } from '../../app/session.tsx'
import { takeReturnPath } from './arrival.ts'
import { FormFailure } from './form-failure.tsx'

type Outcome = { done: Answer<typeof verifyEmail>['data'] } | { failed: ApiError }

/** One link is used once, also when React mounts the page twice. */
const used = new Map<string, Promise<Outcome>>()
const use = (token: string) => {
  const running =
    used.get(token) ??
    sendOnce(verifyEmail, { body: { token } }).then(
      ({ data }): Outcome => ({ done: data }),
      (error): Outcome => ({ failed: error instanceof ApiError ? error : new ApiError(0, 'internal', String(error)) }),
    )
  used.set(token, running)
  return running
}

export default function VerifyEmailLinkPage() {
  const { t } = useTranslation('accounts')
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const { profile, user, refresh } = useSession()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const asked = useRef('')

  useEffect(() => {
    if (asked.current === id) return
    asked.current = id
    void use(id).then(async (result) => {
      // A lost signal may be tried again with the same link.
      if ('failed' in result && result.failed.status === 0) used.delete(id)
      await refresh().catch(() => {})
      setOutcome(result)
    })
  }, [id, refresh])

  if (!outcome)
    return (
      <Stack align="center" py="xl" role="status">
        <Loader />
        <Text>{t('verifyLink.working')}</Text>
      </Stack>
    )

  if ('failed' in outcome) {
    const verified = Boolean(user?.email_verified_at)
    return (
      <Stack gap="lg">
        <Title order={1}>{t('verifyLink.failed')}</Title>
        <FormFailure message={outcome.failed.message} />
        {verified ? (
          <Button component={Link} to="/dashboard">
            {t('verifyLink.next')}
          </Button>
        ) : (
          <Anchor component={Link} to="/verify-email">
            {t('verifyLink.newLink')}
          </Anchor>
        )}
      </Stack>
    )
  }

  const { email, changed } = outcome.done
  return (
    <Stack gap="lg">
      <Title order={1}>{t('verifyLink.done')}</Title>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {changed
          ? t('verifyLink.changed', { email })
          : t(profile ? 'verifyLink.doneTextReady' : 'verifyLink.doneText', { email })}
      </Text>
      <Button onClick={() => navigate((profile && takeReturnPath()) || '/dashboard')}>{t('verifyLink.next')}</Button>
    </Stack>
  )
}
