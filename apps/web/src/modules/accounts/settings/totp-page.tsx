import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate } from 'react-router'
import { takeReturnPath } from '#web/modules/accounts/arrival.ts'
import { pageAt, usePageTable } from '#web/shell/page-table.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { TotpSetup } from './totp-setup.tsx'

/** Redirect target for accounts that must set up two-factor sign-in first. */
export default function TotpPage() {
  const { t } = useTranslation('staff-accounts')
  const { user, mustSetUpTotp, refresh, signOut } = useSession()
  const [isNeeded] = useState(mustSetUpTotp)
  const [isSetUp, setIsSetUp] = useState(false)
  const navigate = useNavigate()
  const { complete } = usePageTable()
  if (!isNeeded) return <Navigate to="/dashboard" replace />
  if (!user) return null
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{t('setUpPage.title')}</Title>
        <Text mt={4}>{t(isSetUp ? 'setUpPage.leadDone' : 'setUpPage.lead')}</Text>
      </div>
      <TotpSetup
        email={user.email}
        onSetUp={() => setIsSetUp(true)}
        onDone={async () => {
          await refresh()
          const path = takeReturnPath() ?? '/dashboard'
          navigate(complete && !pageAt(path) ? '/dashboard' : path, { replace: true })
        }}
      />
      <Text size="sm" c="dimmed">
        {t('setUpPage.signedInAs', { email: user.email })}{' '}
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            void signOut()
            navigate('/sign-in')
          }}
        >
          {t('setUpPage.signOut')}
        </Anchor>
      </Text>
    </Stack>
  )
}
