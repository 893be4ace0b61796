import { useParams } from 'react-router'
import { ProgrammeEditor } from './programme-editor.tsx'
import { RegistrationFrame } from './registration-frame.tsx'

/** `/pendaftaran/:id/program`, and `/master/prodi/:id/program/:idDetail` where `idDetail` is the registration. */
export default function RegistrationProgramPage() {
  const { id = '', idDetail } = useParams()
  return (
    <RegistrationFrame id={idDetail ?? id} staffTab="summary">
      {(registration) => <ProgrammeEditor key={registration.id} registration={registration} />}
    </RegistrationFrame>
  )
}
