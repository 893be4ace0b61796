import { AccountLayout } from '../accounts/account-layout.tsx'
import { useSimLabel } from './driving-licence-form.tsx'
import { ProfileForm } from './profile-form.tsx'

export default function LastEducationPage() {
  return (
    <AccountLayout simLabel={useSimLabel()}>
      <ProfileForm sections={['education']} />
    </AccountLayout>
  )
}
