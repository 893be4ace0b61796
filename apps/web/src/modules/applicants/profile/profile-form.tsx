import { Stack } from '@mantine/core'
import type { Profile } from '#domain/applicants/endpoints.ts'
import { profileSections, type ProfileSection as Section } from '#domain/applicants/profile.ts'
import { readOwnLead } from '#domain/leads/own-lead-endpoint.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { Typed } from '#web/modules/applicants/form/section-fields.ts'
import { useProfile } from '#web/modules/applicants/use-profile.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { ProfileSection } from './profile-section.tsx'

type Props = {
  /** Groups to ask; all groups by default. */
  sections?: readonly Section[]
  onSaved?: (profile: Profile) => void
  saveLabel?: string
  /** Leaves out the cards around the groups. */
  bare?: boolean
}

/** The applicant's profile; each group is saved on its own, and `#address` in the URL scrolls to its group. */
export function ProfileForm({ sections = profileSections, onSaved, saveLabel, bare }: Props) {
  const { data, error, refetch } = useProfile()
  const answersOfLead = useGiven(data?.data)
  if (!data || answersOfLead === undefined)
    return <LoadingOrFailed error={error} onRetry={refetch} rows={6} height={44} />
  return (
    <Stack gap="lg">
      {sections.map((section) => (
        <ProfileSection
          key={section}
          section={section}
          profile={data.data}
          onSaved={onSaved}
          saveLabel={saveLabel}
          bare={bare}
          given={answersOfLead[section]}
        />
      ))}
    </Stack>
  )
}

/** What somebody gave as a lead and the profile lacks, by group; undefined while it is not known yet. */
function useGiven(profile: Profile | null | undefined): Partial<Record<Section, Typed>> | undefined {
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
