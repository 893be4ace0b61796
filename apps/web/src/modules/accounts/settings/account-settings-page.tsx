import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { getAccount } from '#domain/accounts/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { takeReturnPath } from '#web/modules/accounts/arrival.ts'
import { ProfileForm } from '#web/modules/applicants/profile/profile-form.tsx'
import { OptOutCard } from '#web/modules/campaigns/purposes.tsx'
import { MessageChoice } from '#web/modules/messaging/message-choice.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { AccountLayout } from './account-layout.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { DataCard, EmailCard, PasswordCard, PreferencesCard } from './settings-cards.tsx'
import { TotpCard } from './totp-card.tsx'

/**
 * Account settings. Applicants without a profile are redirected here; they see the identity form first, with an
 * explanation.
 */
export default function AccountSettingsPage() {
  const { t } = useTranslation(['accounts', 'account-settings'])
  const { user, profile, seenBy } = useSession()
  const { data, error, refetch } = useEndpoint(getAccount)
  const applicant = user?.role.name === applicantRole
  const [cameWithout] = useState(applicant && profile === null)
  const account = data?.data

  return (
    <AccountLayout applicant={applicant}>
      <Stack gap="lg" maw={720}>
        {applicant && profile === null && (
          <>
            <Alert
              color="orange"
              variant="light"
              title={t('account-settings:needProfile')}
              styles={{ title: { color: 'var(--mantine-color-text)' } }}
            >
              {t('account-settings:needProfileText')}
            </Alert>
            <ProfileForm sections={['identity']} saveLabel={t('account-settings:saveIdentity')} />
          </>
        )}
        {cameWithout && profile !== null && (
          <Alert color="green" variant="light" role="status">
            <Stack gap="sm" align="flex-start">
              <Text>{t('account-settings:profileSaved')}</Text>
              <GoOn label={t('account-settings:goOn')} />
            </Stack>
          </Alert>
        )}
        {account ? (
          <>
            <PasswordCard account={account} />
            {(!applicant || account.twoFactor) && <TotpCard account={account} />}
            <EmailCard account={account} />
            {/* Hidden from staff who view the product as another account. */}
            {!seenBy && <SessionsCard />}
            <PreferencesCard />
            <MessageChoice account={account} />
            <OptOutCard />
            {!seenBy && <DataCard account={account} />}
          </>
        ) : (
          <LoadingOrFailed error={error} onRetry={refetch} />
        )}
      </Stack>
    </AccountLayout>
  )
}

/** Links to the page that redirected to the identity form, or to the dashboard. */
function GoOn({ label }: { label: string }) {
  const [to] = useState(() => takeReturnPath() ?? '/dashboard')
  return (
    <Button component={Link} to={to}>
      {label}
    </Button>
  )
}
