import { lazy } from 'react'
import { useSession } from '#web/shell/session/session.tsx'
import { isApplicant } from './dashboard/next-step.ts'
import ConfirmResultsPage from './staff/confirm-results-page.tsx'

const OffersPage = lazy(() => import('./offers/offers-page.tsx'))

/** Applicants answer their own offers; staff see the list of all offers visible to them. */
export default function KonfirmasiKelulusanPage() {
  const { user } = useSession()
  return isApplicant(user?.role.name) ? <ConfirmResultsPage /> : <OffersPage />
}
