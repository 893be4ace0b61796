import { Navigate, useParams } from 'react-router'

/** A link of somebody who is signed in leads to the same button as a link opened on another device. */
export default function VerifyEmailLinkPage() {
  const { id = '' } = useParams()
  return <Navigate to={`/confirm-email/${encodeURIComponent(id)}`} replace />
}
