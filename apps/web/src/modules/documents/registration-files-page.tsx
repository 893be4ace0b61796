import { EditFrame } from '#web/modules/admissions/apply/edit-frame.tsx'
import { ApplicantProfile } from '#web/modules/applicants/applicant-profile.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { DocumentSlots } from './document-slots.tsx'
import { DocumentReview } from './review/document-review.tsx'

/** Documents of a registration: review for staff with permission, upload for everyone else. */
export default function RegistrationFilesPage() {
  const { may } = useSession()
  return (
    <EditFrame part="file">
      {({ id }) =>
        may('pendaftaran-verify') ? (
          <DocumentReview
            registrationId={id}
            beside={may('pendaftaran-profile-view') && <ApplicantProfile registrationId={id} />}
          />
        ) : (
          <DocumentSlots registrationId={id} />
        )
      }
    </EditFrame>
  )
}
