import { useParams } from 'react-router'
import { ProgrammeEditor } from '#web/modules/admissions/apply/programme-editor.tsx'
import { RegistrationFrame } from './registration-frame.tsx'

export default function RegistrationProgramPage() {
  const { id = '' } = useParams()
  return (
    <RegistrationFrame id={id} section="program">
      {(registration) => <ProgrammeEditor key={registration.id} registration={registration} />}
    </RegistrationFrame>
  )
}
