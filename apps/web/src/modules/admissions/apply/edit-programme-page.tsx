import { EditFrame } from './edit-frame.tsx'
import { ProgrammeEditor } from './programme-editor.tsx'

/** Changes a registration's study programmes, for the applicant and for staff who may edit registrations. */
export default function EditProgrammePage() {
  return (
    <EditFrame part="program">
      {(registration) => <ProgrammeEditor key={registration.id} registration={registration} />}
    </EditFrame>
  )
}
