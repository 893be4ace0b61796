import type { Profile, ProfileInput } from '#domain/applicants/endpoints.ts'
import type { ProfileAnswers } from '#domain/applicants/profile.ts'
import type { ChosenSchool } from './school/school-field.tsx'

/** Answers typed but not saved; `school` holds the chosen school with its name. */
export type Typed = Partial<Omit<ProfileInput, 'version'>> & { school?: ChosenSchool }

export type SectionFields = {
  profile: Profile | null
  answers: ProfileAnswers & Typed
  set: (changes: Typed) => void
  /** Label of a field, marked "optional" if it is not required. */
  label: (field: string) => string
  error: (field: string) => string | undefined
  leave: (field: string) => void
  /** Set if staff correct an applicant's data. */
  staff?: { nikMasked: boolean } | undefined
}
