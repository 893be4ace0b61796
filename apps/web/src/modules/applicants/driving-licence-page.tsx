import { AccountLayout } from '../accounts/account-layout.tsx'
import { DrivingLicenceForm, useSimLabel } from './driving-licence-form.tsx'

export default function DrivingLicencePage() {
  const simLabel = useSimLabel()
  return (
    <AccountLayout simLabel={simLabel}>
      <DrivingLicenceForm title={simLabel} />
    </AccountLayout>
  )
}
