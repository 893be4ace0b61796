import { AccountLayout } from '#web/modules/accounts/settings/account-layout.tsx'
import { useSimLabel } from './more-data/driving-licence-form.tsx'
import { ProfileForm } from './profile/profile-form.tsx'

export default function LastEducationPage() {
  return (
    <AccountLayout simLabel={useSimLabel()}>
      <ProfileForm sections={['education']} />
    </AccountLayout>
  )
}
