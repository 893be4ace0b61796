import { lazy } from 'react'
import { useSession } from '#web/shell/session/session.tsx'
import { isApplicant } from './dashboard/next-step.ts'

const AskProgrammePage = lazy(() => import('./programme-change/ask-programme-page.tsx'))
const ProgrammeChangesPage = lazy(() => import('./programme-change/programme-changes-page.tsx'))

/** Applicants request another study programme; staff decide requests and see all changes. */
export default function PindahProdiPage() {
  const { user } = useSession()
  return isApplicant(user?.role.name) ? <AskProgrammePage /> : <ProgrammeChangesPage />
}
