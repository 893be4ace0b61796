import type { ComponentType } from 'react'
import { Navigate } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { useSession } from '#web/shell/session/session.tsx'

/** Redirects applicants to their own conversation, because their role may hold the same permission as the office. */
export const officeOnly = (Page: ComponentType) =>
  function OfficePage() {
    const { user } = useSession()
    return user?.role.name === applicantRole ? <Navigate to="/apps/chat/drawer-chat" replace /> : <Page />
  }
