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
import { useSend } from '#web/api/send.ts'
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

/** How staff correct a group: where it is sent, and what is asked besides. */
export type StaffCorrection = {
  nikMasked: boolean
  send: (body: ProfileInput) => Promise<{ data: Profile }>
  reread: () => void
  /** Asked below the fields. */
  reason: ReactNode
  /** Whether it was answered; says what is missing. */
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
  /** Field to begin with. */
  field?: string | undefined
  onSaved?: ((profile: Profile) => void) | undefined
  onCancel?: (() => void) | undefined
  saveLabel?: string | undefined
  /** Without the card around it, for a page that is one step already. */
  bare?: boolean | undefined
  staff?: StaffCorrection | undefined
}

/** One group of questions with its own button: what is typed waits on the device until it is saved. */
export function ProfileSection({ section, profile, field, onSaved, onCancel, saveLabel, bare, staff }: Props) {
  const send = useSend(updateProfile)
  const { t } = useTranslation(['applicants', 'errors'])
  const { language } = useSurroundings()
  const queryClient = useQueryClient()
  const keep = useKeepProfile()
  const form = useRef<HTMLFormElement>(null)
  const [kept, keepTyped, draft] = useDraft<Typed>(`profile:${section}`, {})
  // What staff type about somebody else is not left on their device.
  const [passing, setPassing] = useState<Typed>({})
  const [typed, setTyped] = staff ? [passing, setPassing] : [kept, keepTyped]
  const [restored, setRestored] = useState(!staff && draft.restored && Object.keys(typed).length > 0)
  // What a restored draft holds was typed before: it is checked at once.
  const [left, setLeft] = useState<ReadonlySet<string>>(() => new Set(Object.keys(typed)))
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [savedAt, setSavedAt] = useState<Date | null>(null)

  const answers = { ...profile, ...typed } as ProfileAnswers & Typed
  answers.isMinor = isMinorOn(answers.birthDate as string | null, today())
  const required: readonly string[] = requiredProfileFields(answers)
  const fields: readonly string[] = profileFieldsOf[section]
  const missing = fields.filter((field) => required.includes(field) && !answers[field as keyof ProfileAnswers]).length
  const dirty = Object.keys(typed).length > 0

  const forget = () => {
    setTyped({})
    if (!staff) draft.clear()
    setRestored(false)
  }
  const save = useMutation({
    mutationFn: () => {
      const { school: _, ...body } = typed
      const change = { ...body, version: profile?.version ?? 0 }
      return staff ? staff.send(change) : send({ body: change })
    },
    onSuccess: async ({ data }) => {
      forget()
      setRefused({})
      setLeft(new Set())
      setSavedAt(new Date())
      if (!staff) await keep(data)
      onSaved?.(data)
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      setRefused(error.fieldMessages)
      // The answers stay; only what they are compared with is read anew.
      if (error.code === 'stale_version' && staff) staff.reread()
      else if (error.code === 'stale_version') void queryClient.invalidateQueries({ queryKey: keyOf(getProfile) })
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const wrong = Object.entries(typed).filter(([field, answer]) => problemOf(field, answer))
    setLeft((before) => new Set([...before, ...wrong.map(([field]) => field)]))
    if (wrong.length > 0) {
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
      setRefused((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in changes))))
      setTyped((before) => ({ ...before, ...changes }))
      setLeft((before) => new Set([...before, ...Object.keys(changes)]))
    },
    label: (field) =>
      `${t(`field.${field as 'fullName'}`)}${required.includes(field) || field === 'citizenship' ? '' : ` (${t('optional')})`}`,
    error: (field) => {
      const problem = left.has(field) ? problemOf(field, answers[field as keyof ProfileAnswers]) : null
      return refused[field] ?? (problem ? t(`errors:${problem}`) : undefined)
    },
    leave: (field) => setLeft((before) => new Set([...before, field])),
  }
  const begin = field && (fields as readonly string[]).includes(field) ? props.label(field) : null
  useEffect(() => {
    if (!begin || !form.current) return
    const named = [...form.current.querySelectorAll('label, legend')].find((one) => one.textContent?.startsWith(begin))
    const control =
      named instanceof HTMLLabelElement
        ? named.control
        : (named?.parentElement ?? form.current).querySelector<HTMLElement>('input, select, button')
    control?.focus()
  }, [begin])
  const Fields = fieldsOf[section]
  const stale = save.error instanceof ApiError && save.error.code === 'stale_version'
  const unsaid = save.error && !stale && Object.keys(refused).length === 0
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
                <Anchor component="button" type="button" size="sm" onClick={forget}>
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
          blocked ? undefined : missing > 0 ? (
            <StatusDot tone="attention" label={t('form.stillMissing', { count: missing })} />
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
