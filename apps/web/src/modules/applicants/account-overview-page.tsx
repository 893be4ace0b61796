import { AccountLayout } from '#web/modules/accounts/settings/account-layout.tsx'
import { useSimLabel } from './more-data/driving-licence-form.tsx'
import { ProfileSummary } from './profile/profile-summary.tsx'

export default function AccountOverviewPage() {
  return (
    <AccountLayout simLabel={useSimLabel()}>
      <ProfileSummary />
    </AccountLayout>
  )
}
