import { EditFrame } from './edit-frame.tsx'
import { ProgrammeEditor } from './programme-editor.tsx'

/** The study programmes of a registration, changed by the applicant or by staff who may edit registrations. */
export default function EditProgrammePage() {
  return (
    <EditFrame part="program">
      {(registration) => <ProgrammeEditor key={registration.id} registration={registration} />}
    </EditFrame>
  )
}
