import { useParams } from 'react-router'
import { CalendarFileButton } from '#web/modules/admission-calendar/calendar-file-button.tsx'
import { TestSchedule } from '#web/modules/testing/test-schedule.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { RegistrationFrame } from './registration-frame.tsx'
import { RegistrationOverview } from './registration-overview.tsx'

const OwnLettersCard = lazyPart(() => import('#web/modules/letters/letters-of-registration.tsx'))

/** One registration: the applicant's file for staff, the overview for applicants. */
export default function RegistrationPage() {
  const { id = '' } = useParams()
  return (
    <RegistrationFrame id={id} section="summary">
      {(registration) => (
        <RegistrationOverview
          registration={registration}
          test={<TestSchedule registrationId={registration.id} />}
          calendar={<CalendarFileButton />}
          letters={<OwnLettersCard registrationId={registration.id} />}
        />
      )}
    </RegistrationFrame>
  )
}
