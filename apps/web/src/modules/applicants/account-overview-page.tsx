import { useTranslation } from 'react-i18next'
import { applicantRole } from '#domain/accounts/redirect.ts'
import { useSession } from '../../app/session.tsx'
import { Card } from '../../ui/card.tsx'
import { AccountLayout } from '../accounts/account-layout.tsx'
import { useSimLabel } from './driving-licence-form.tsx'
import { ProfileSummary } from './profile-summary.tsx'

export default function AccountOverviewPage() {
  const { user } = useSession()
  const { t } = useTranslation('applicants')
  const simLabel = useSimLabel()
  const applicant = user?.role.name === applicantRole
  return (
    <AccountLayout applicant={applicant} simLabel={simLabel}>
      {applicant ? (
        <ProfileSummary />
      ) : (
        <Card title={user?.name}>
          <p>{user?.email}</p>
          <p>
            {t('overview.role')}: {user?.role.name}
          </p>
        </Card>
      )}
    </AccountLayout>
  )
}
