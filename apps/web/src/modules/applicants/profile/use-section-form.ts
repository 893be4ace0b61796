import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getProfile, type Profile, type ProfileInput, updateProfile } from '#domain/applicants/endpoints.ts'
import {
  isMinorOn,
  type ProfileAnswers,
  profileFieldsOf,
  requiredProfileFields,
  type ProfileSection as Section,
} from '#domain/applicants/profile.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { problemOf } from '#web/modules/applicants/form/field-problems.ts'
import type { SectionFields, Typed } from '#web/modules/applicants/form/section-fields.ts'
import { useKeepProfile } from '#web/modules/applicants/use-profile.ts'
import { useTypedAnswers } from './use-typed-answers.ts'

/** Lets staff correct a group: the call that saves it, and the required reason. */
export type StaffCorrection = {
  nikMasked: boolean
  send: (body: ProfileInput) => Promise<{ data: Profile }>
  reread: () => void
  /** Field for the reason, below the other fields. */
  reason: ReactNode
  /** Returns whether the reason is given; shows the error if not. */
  ready: () => boolean
}

type Group = {
  section: Section
  profile: Profile | null
  onSaved: ((profile: Profile) => void) | undefined
  staff: StaffCorrection | undefined
  /** Answers given elsewhere before the account existed. */
  given: Typed | undefined
}

const today = () => universityCalendar().dayOf(new Date())

/** Answers, problems and saving of one group of questions. */
export function useSectionForm({ section, profile, onSaved, staff, given = {} }: Group) {
  const { t } = useTranslation(['applicants', 'errors'])
  const queryClient = useQueryClient()
  const keepProfile = useKeepProfile()
  const form = useRef<HTMLFormElement>(null)
  const typed = useTypedAnswers(`profile:${section}`, !!staff, given)
  const { typedAnswers, setTypedAnswers, dirty } = typed
  // Fields of a restored draft are checked at once.
  const [touchedFields, setTouchedFields] = useState<ReadonlySet<string>>(() => new Set(Object.keys(typedAnswers)))
  const [refusals, setRefusals] = useState<Record<string, string>>({})
  const [savedAt, setSavedAt] = useState<Date | null>(null)

  const answers = { ...profile, ...typedAnswers } as ProfileAnswers & Typed
  answers.isMinor = isMinorOn(answers.birthDate as string | null, today())
  const required: readonly string[] = requiredProfileFields(answers)
  const names: readonly string[] = profileFieldsOf[section]

  const touch = (fields: readonly string[]) => setTouchedFields((previous) => new Set([...previous, ...fields]))
  const focusFirstInvalid = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  const save = useMutation({
    mutationFn: () => {
      const { school: _, ...body } = typedAnswers
      const change = { ...body, version: profile?.version ?? 0 }
      return staff ? staff.send(change) : sendOnce(updateProfile, { body: change })
    },
    onSuccess: async ({ data }) => {
      typed.discard()
      setRefusals({})
      setTouchedFields(new Set())
      setSavedAt(new Date())
      if (!staff) await keepProfile(data)
      onSaved?.(data)
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      setRefusals(error.fieldMessages)
      // Keeps the answers; reads only the saved profile again.
      if (error.code === 'stale_version' && staff) staff.reread()
      else if (error.code === 'stale_version') void queryClient.invalidateQueries({ queryKey: keyOf(getProfile) })
      focusFirstInvalid()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const invalidFields = Object.entries(typedAnswers).flatMap(([field, answer]) =>
      problemOf(field, answer) ? [field] : [],
    )
    touch(invalidFields)
    if (invalidFields.length > 0) return void focusFirstInvalid()
    if (staff && !staff.ready()) return
    if (!dirty && profile && onSaved) return onSaved(profile)
    save.mutate()
  }

  const fields: SectionFields = {
    staff,
    profile,
    answers,
    set: (changes) => {
      setSavedAt(null)
      if (save.error) save.reset()
      setRefusals((previous) => Object.fromEntries(Object.entries(previous).filter(([field]) => !(field in changes))))
      setTypedAnswers((previous) => ({ ...previous, ...changes }))
      touch(Object.keys(changes))
    },
    label: (field) =>
      `${t(`field.${field as 'fullName'}`)}${required.includes(field) || field === 'citizenship' ? '' : ` (${t('optional')})`}`,
    error: (field) => {
      const problem = touchedFields.has(field) ? problemOf(field, answers[field as keyof ProfileAnswers]) : null
      return refusals[field] ?? (problem ? t(`errors:${problem}`) : undefined)
    },
    leave: (field) => touch([field]),
  }
  const isStale = save.error instanceof ApiError && save.error.code === 'stale_version'
  return {
    form,
    submit,
    fields,
    missingFields: names.filter((name) => required.includes(name) && !answers[name as keyof ProfileAnswers]),
    dirty,
    restored: typed.restored,
    discard: typed.discard,
    isSaving: save.isPending,
    savedAt,
    isStale,
    /** Refusal that is shown beside no field. */
    formError: save.error && !isStale && Object.keys(refusals).length === 0 ? save.error.message : null,
  }
}
export type SectionForm = ReturnType<typeof useSectionForm>
