import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
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
import { timeOfDay } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { Card } from '#web/ui/card.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { AddressFields } from './form/address-fields.tsx'
import { ContactFields } from './form/contact-fields.tsx'
import { EducationFields } from './form/education-fields.tsx'
import { problemOf } from './form/field-problems.ts'
import { IdentityFields } from './form/identity-fields.tsx'
import { PhotoFields } from './form/photo-fields.tsx'
import type { SectionFields, Typed } from './form/section-fields.ts'
import { useKeepProfile } from './use-profile.ts'

/** Lets staff correct a group: the call that saves it, and the reason they must give. */
export type StaffCorrection = {
  nikMasked: boolean
  send: (body: ProfileInput) => Promise<{ data: Profile }>
  reread: () => void
  /** Field for the reason, below the other fields. */
  reason: ReactNode
  /** Returns whether the reason is given; shows the error if not. */
  ready: () => boolean
}

const fieldsOf = {
  identity: IdentityFields,
  contact: ContactFields,
  address: AddressFields,
  education: EducationFields,
  photo: PhotoFields,
} satisfies Record<Section, (props: SectionFields) => unknown>

const today = () => universityCalendar().dayOf(new Date())

type Props = {
  section: Section
  profile: Profile | null
  /** Field that gets the focus first. */
  field?: string | undefined
  onSaved?: ((profile: Profile) => void) | undefined
  onCancel?: (() => void) | undefined
  saveLabel?: string | undefined
  /** Leaves out the card around the group, for a page that is a single step already. */
  bare?: boolean | undefined
  staff?: StaffCorrection | undefined
}

/** One group of questions with its own button; the device keeps the answers until they are saved. */
export function ProfileSection({ section, profile, field, onSaved, onCancel, saveLabel, bare, staff }: Props) {
  const { t } = useTranslation(['applicants', 'errors'])
  const { language } = useSurroundings()
  const queryClient = useQueryClient()
  const keepProfile = useKeepProfile()
  const form = useRef<HTMLFormElement>(null)
  const [deviceAnswers, setDeviceAnswers, draft] = useDraft<Typed>(`profile:${section}`, {})
  // Answers typed by staff about an applicant stay in memory, not in the device's storage.
  const [memoryAnswers, setMemoryAnswers] = useState<Typed>({})
  const [typedAnswers, setTypedAnswers] = staff ? [memoryAnswers, setMemoryAnswers] : [deviceAnswers, setDeviceAnswers]
  const [restored, setRestored] = useState(!staff && draft.restored && Object.keys(typedAnswers).length > 0)
  // Fields of a restored draft are checked at once.
  const [touchedFields, setTouchedFields] = useState<ReadonlySet<string>>(() => new Set(Object.keys(typedAnswers)))
  const [refusals, setRefusals] = useState<Record<string, string>>({})
  const [savedAt, setSavedAt] = useState<Date | null>(null)

  const answers = { ...profile, ...typedAnswers } as ProfileAnswers & Typed
  answers.isMinor = isMinorOn(answers.birthDate as string | null, today())
  const required: readonly string[] = requiredProfileFields(answers)
  const fields: readonly string[] = profileFieldsOf[section]
  const missingCount = fields.filter(
    (field) => required.includes(field) && !answers[field as keyof ProfileAnswers],
  ).length
  const dirty = Object.keys(typedAnswers).length > 0

  const discardAnswers = () => {
    setTypedAnswers({})
    if (!staff) draft.clear()
    setRestored(false)
  }
  const save = useMutation({
    mutationFn: () => {
      const { school: _, ...body } = typedAnswers
      const change = { ...body, version: profile?.version ?? 0 }
      return staff ? staff.send(change) : sendOnce(updateProfile, { body: change })
    },
    onSuccess: async ({ data }) => {
      discardAnswers()
      setRefusals({})
      setTouchedFields(new Set())
      setSavedAt(new Date())
      if (!staff) await keepProfile(data)
      onSaved?.(data)
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      setRefusals(error.fieldMessages)
      // Keep the answers; read only the saved profile again.
      if (error.code === 'stale_version' && staff) staff.reread()
      else if (error.code === 'stale_version') void queryClient.invalidateQueries({ queryKey: keyOf(getProfile) })
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const invalidAnswers = Object.entries(typedAnswers).filter(([field, answer]) => problemOf(field, answer))
    setTouchedFields((previous) => new Set([...previous, ...invalidAnswers.map(([field]) => field)]))
    if (invalidAnswers.length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    if (staff && !staff.ready()) return
    if (!dirty && profile && onSaved) return onSaved(profile)
    save.mutate()
  }

  const props: SectionFields = {
    staff,
    profile,
    answers,
    set: (changes) => {
      setSavedAt(null)
      if (save.error) save.reset()
      setRefusals((previous) => Object.fromEntries(Object.entries(previous).filter(([field]) => !(field in changes))))
      setTypedAnswers((previous) => ({ ...previous, ...changes }))
      setTouchedFields((previous) => new Set([...previous, ...Object.keys(changes)]))
    },
    label: (field) =>
      `${t(`field.${field as 'fullName'}`)}${required.includes(field) || field === 'citizenship' ? '' : ` (${t('optional')})`}`,
    error: (field) => {
      const problem = touchedFields.has(field) ? problemOf(field, answers[field as keyof ProfileAnswers]) : null
      return refusals[field] ?? (problem ? t(`errors:${problem}`) : undefined)
    },
    leave: (field) => setTouchedFields((previous) => new Set([...previous, field])),
  }
  const focusLabel = field && (fields as readonly string[]).includes(field) ? props.label(field) : null
  useEffect(() => {
    if (!focusLabel || !form.current) return
    const labelElement = [...form.current.querySelectorAll('label, legend')].find((element) =>
      element.textContent?.startsWith(focusLabel),
    )
    const control =
      labelElement instanceof HTMLLabelElement
        ? labelElement.control
        : (labelElement?.parentElement ?? form.current).querySelector<HTMLElement>('input, select, button')
    control?.focus()
  }, [focusLabel])
  const Fields = fieldsOf[section]
  const stale = save.error instanceof ApiError && save.error.code === 'stale_version'
  const unsaid = save.error && !stale && Object.keys(refusals).length === 0
  const blocked = !profile && section !== 'identity'

  const body = (
    <form onSubmit={submit} ref={form} noValidate>
      <Stack gap="md" maw={640}>
        <Text c="dimmed">{t(`sectionHelp.${section}`)}</Text>
        {blocked ? (
          <Alert>{t('form.identityFirst')}</Alert>
        ) : (
          <>
            {restored && dirty && (
              <Alert>
                {t('form.draftFound')}{' '}
                <Anchor component="button" type="button" size="sm" onClick={discardAnswers}>
                  {t('form.discardDraft')}
                </Anchor>
              </Alert>
            )}
            <Fields {...props} />
            {staff?.reason}
            {stale && (
              <Alert color="orange" role="alert">
                {t('form.stale')}
              </Alert>
            )}
            {unsaid && (
              <Alert color="red" role="alert" title={t('form.failed')}>
                {save.error.message}
              </Alert>
            )}
            <Group gap="md">
              <Button type="submit" loading={save.isPending} disabled={!dirty && !(profile && onSaved)}>
                {saveLabel ?? t('form.save')}
              </Button>
              {onCancel && (
                <Button variant="default" onClick={onCancel}>
                  {t('photo.cancel')}
                </Button>
              )}
              <Text size="sm" c="dimmed" role="status" aria-live="polite">
                {savedAt
                  ? t('form.saved', { time: timeOfDay(savedAt, language) })
                  : dirty && !staff
                    ? t('form.draftKept')
                    : ''}
              </Text>
            </Group>
          </>
        )}
      </Stack>
    </form>
  )
  if (bare) return body
  return (
    <div id={section}>
      <Card
        title={t(`section.${section}`)}
        actions={
          blocked ? undefined : missingCount > 0 ? (
            <StatusDot tone="attention" label={t('form.stillMissing', { count: missingCount })} />
          ) : (
            <StatusDot tone="done" label={t('form.complete')} />
          )
        }
      >
        {body}
      </Card>
    </div>
  )
}
