import { AccountLayout } from '../accounts/account-layout.tsx'
import { useSimLabel } from './driving-licence-form.tsx'
import { ProfileSummary } from './profile-summary.tsx'

export default function AccountOverviewPage() {
  return (
    <AccountLayout simLabel={useSimLabel()}>
      <ProfileSummary />
    </AccountLayout>
  )
}
