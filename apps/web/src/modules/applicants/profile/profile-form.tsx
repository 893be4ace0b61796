import { Stack } from '@mantine/core'
import type { Profile } from '#domain/applicants/endpoints.ts'
import { profileSections, type ProfileSection as Section } from '#domain/applicants/profile.ts'
import { useProfile } from '#web/modules/applicants/use-profile.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { ProfileSection } from './profile-section.tsx'
import { useGiven } from './use-given.ts'

type Props = {
  /** Groups to show; all by default. */
  sections?: readonly Section[]
  onSaved?: (profile: Profile) => void
  saveLabel?: string
  /** Leaves out the cards around the groups. */
  bare?: boolean
}

/** The applicant's profile; each group is saved separately, and `#address` in the URL scrolls to its group. */
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
