import { Navigate, useParams } from 'react-router'

/** Redirects to the page with the confirm button, which works on any device. */
export default function VerifyEmailLinkPage() {
  const { id = '' } = useParams()
  return <Navigate to={`/confirm-email/${encodeURIComponent(id)}`} replace />
}
