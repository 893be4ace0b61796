import type { Profile, ProfileInput } from '#domain/applicants/endpoints.ts'
import type { ProfileAnswers } from '#domain/applicants/profile.ts'
import type { ChosenSchool } from './school-field.tsx'

/** What was typed and is not saved yet; `school` is what the chosen one is called. */
export type Typed = Partial<Omit<ProfileInput, 'version'>> & { school?: ChosenSchool }

export type SectionFields = {
  profile: Profile | null
  answers: ProfileAnswers & Typed
  set: (changes: Typed) => void
  /** Label, with "optional" where nothing is asked. */
  label: (field: string) => string
  error: (field: string) => string | undefined
  leave: (field: string) => void
  /** Set where staff correct the data of somebody else. */
  staff?: { nikMasked: boolean } | undefined
}
