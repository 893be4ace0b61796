import { lazy } from 'react'
import { useSession } from '#web/shell/session/session.tsx'
import { isApplicant } from './dashboard/next-step.ts'
import { OwnRegistrations } from './dashboard/own-registrations.tsx'

const StaffList = lazy(() => import('./staff/staff-registration-list-page.tsx'))

/** Applicants see their own registrations; staff see the list of all visible to them. */
export default function PendaftaranPage() {
  const { user } = useSession()
  return isApplicant(user?.role.name) ? <OwnRegistrations /> : <StaffList />
}
