import { AccountLayout } from '#web/modules/accounts/settings/account-layout.tsx'
import { DrivingLicenceForm, useSimLabel } from './more-data/driving-licence-form.tsx'

export default function DrivingLicencePage() {
  const simLabel = useSimLabel()
  return (
    <AccountLayout simLabel={simLabel}>
      <DrivingLicenceForm title={simLabel} />
    </AccountLayout>
  )
}
