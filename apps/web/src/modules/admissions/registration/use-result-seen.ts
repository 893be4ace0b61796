import { useEffect } from 'react'
import { markResultSeen } from '#domain/admissions/offer-endpoints.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { sendOnce } from '#web/api/send.ts'

/** Tells the server once that the applicant has seen the registration's result on this page. */
export function useResultSeen(registration: RegistrationDetail | undefined) {
  const unseenId =
    registration && registration.result !== 'waiting' && !registration.resultSeen ? registration.id : null
  useEffect(() => {
    if (unseenId) sendOnce(markResultSeen, { params: { id: unseenId }, body: {} }).catch(() => {})
  }, [unseenId])
}
