import type { Profile } from '#domain/applicants/endpoints.ts'
import type { ProfileSection as Section } from '#domain/applicants/profile.ts'
import { readOwnLead } from '#domain/leads/own-lead-endpoint.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { Typed } from '#web/modules/applicants/form/section-fields.ts'

/** Answers a lead gave that the profile lacks, by group; undefined until known. */
export function useGiven(profile: Profile | null | undefined): Partial<Record<Section, Typed>> | undefined {
  const isAsked = profile !== undefined && !(profile?.birthDate && profile.schoolId)
  const { data, error } = useEndpoint(readOwnLead, {}, { enabled: isAsked })
  const isWaiting = isAsked && !data && !error
  if (isWaiting) return undefined
  const { birthDate = null, school = null } = data?.data ?? {}
  return {
    ...(birthDate && !profile?.birthDate && { identity: { birthDate } }),
    ...(school &&
      !profile?.schoolId && { education: { schoolId: school.id, schoolTypeId: school.schoolTypeId, school } }),
  }
}
