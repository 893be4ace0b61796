import { lazy } from 'react'
import { useParams } from 'react-router'
import { isApplicant } from '#web/modules/admissions/dashboard/next-step.ts'
import { TestSchedule } from '#web/modules/testing/test-schedule.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { RegistrationFrame } from './registration-frame.tsx'
import { RegistrationOverview } from './registration-overview.tsx'

const OwnLettersCard = lazy(() => import('#web/modules/letters/letters-of-registration.tsx'))
const StaffPage = lazy(() => import('#web/modules/admissions/staff/staff-registration-page.tsx'))

/** One registration: the applicant's file for staff, the overview for applicants. */
export default function RegistrationPage() {
  const { id = '' } = useParams()
  const { user } = useSession()
  if (!isApplicant(user?.role.name)) return <StaffPage />
  return (
    <RegistrationFrame id={id}>
      {(registration) => (
        <RegistrationOverview
          registration={registration}
          test={<TestSchedule registrationId={registration.id} />}
          letters={<OwnLettersCard registrationId={registration.id} />}
        />
      )}
    </RegistrationFrame>
  )
}
