import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../app/session.tsx'
import { takeReturnPath } from './arrival.ts'
import { TotpSetup } from './totp-setup.tsx'

/** Where everybody is brought to whose account requires two-factor sign-in and does not have it yet. */
export default function TotpPage() {
  const { t } = useTranslation('staff-accounts')
  const { user, refresh, signOut } = useSession()
  const navigate = useNavigate()
  if (!user) return null
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{t('setUpPage.title')}</Title>
        <Text mt={4}>{t('setUpPage.lead')}</Text>
      </div>
      <TotpSetup
        email={user.email}
        onDone={async () => {
          await refresh()
          navigate(takeReturnPath() ?? '/dashboard', { replace: true })
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
