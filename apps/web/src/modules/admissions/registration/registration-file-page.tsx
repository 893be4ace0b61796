import { useParams } from 'react-router'
import { DocumentSlots } from '#web/modules/documents/document-slots.tsx'
import { RegistrationFrame } from './registration-frame.tsx'

export default function RegistrationFilePage() {
  const { id = '' } = useParams()
  return (
    <RegistrationFrame id={id} section="documents">
      {() => <DocumentSlots registrationId={id} />}
    </RegistrationFrame>
  )
}
