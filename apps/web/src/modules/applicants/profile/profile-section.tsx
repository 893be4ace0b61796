import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Profile } from '#domain/applicants/endpoints.ts'
import { profileFieldsOf, type ProfileSection as Section } from '#domain/applicants/profile.ts'
import { timeOfDay } from '#locales/format.ts'
import { AddressFields } from '#web/modules/applicants/form/address-fields.tsx'
import { ContactFields } from '#web/modules/applicants/form/contact-fields.tsx'
import { EducationFields } from '#web/modules/applicants/form/education-fields.tsx'
import { IdentityFields } from '#web/modules/applicants/form/identity-fields.tsx'
import { PhotoFields } from '#web/modules/applicants/form/photo/photo-fields.tsx'
import type { SectionFields, Typed } from '#web/modules/applicants/form/section-fields.ts'
import { bringIntoView } from '#web/ui/bring-into-view.ts'
import { Card } from '#web/ui/card.tsx'
import { useDoubleTapGuard } from '#web/ui/form/double-tap.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { type SectionForm, type StaffCorrection, useSectionForm } from './use-section-form.ts'

const fieldsOf = {
  identity: IdentityFields,
  contact: ContactFields,
  address: AddressFields,
  education: EducationFields,
  photo: PhotoFields,
} satisfies Record<Section, (props: SectionFields) => unknown>

/** Up to this number, missing answers are listed by name. */
const namedMissing = 3

type Props = {
  section: Section
  profile: Profile | null
  /** Field that gets the focus first. */
  field?: string | undefined
  onSaved?: ((profile: Profile) => void) | undefined
  onCancel?: (() => void) | undefined
  saveLabel?: string | undefined
  /** Leaves out the card around the group, for a page that is already a single step. */
  bare?: boolean | undefined
  staff?: StaffCorrection | undefined
  given?: Typed | undefined
}

/** One group of questions with its own button; the device keeps the answers until they are saved. */
export function ProfileSection({ section, profile, field, onSaved, onCancel, saveLabel, bare, staff, given }: Props) {
  const { t } = useTranslation('applicants')
  const state = useSectionForm({ section, profile, onSaved, staff, given })
  const { form, missingFields } = state
  const missingCount = missingFields.length
  const missingNames = missingFields.map((name) => t(`field.${name}` as 'field.nik')).join(', ')
  const missingWords =
    t('form.stillMissing', { count: missingCount }) + (missingCount <= namedMissing ? `: ${missingNames}` : '')
  const tapGuard = useDoubleTapGuard(section)
  const isOfSection = field && (profileFieldsOf[section] as readonly string[]).includes(field)
  useFocusOnField(form, isOfSection ? { name: field, label: state.fields.label(field) } : null)
  const Fields = fieldsOf[section]
  const blocked = !profile && section !== 'identity'

  const body = (
    <form onSubmit={state.submit} ref={form} noValidate>
      <Stack gap="md" maw={640}>
        <Text c="dimmed">{t(`sectionHelp.${section}`)}</Text>
        {blocked ? (
          <Alert>{t('form.identityFirst')}</Alert>
        ) : (
          <>
            {state.restored && (
              <Alert>
                {t('form.draftFound')}{' '}
                <Anchor component="button" type="button" size="sm" onClick={state.discard}>
                  {t('form.discardDraft')}
                </Anchor>
              </Alert>
            )}
            <Fields {...state.fields} />
            {staff?.reason}
            {missingCount > 0 && missingCount <= namedMissing && profile && !staff && (
              <Text size="sm">{missingWords}</Text>
            )}
            <Refusal state={state} />
            <Group gap="md" style={tapGuard}>
              <Button type="submit" loading={state.isSaving} disabled={!state.dirty && !(profile && onSaved)}>
                {saveLabel ?? t('form.save')}
              </Button>
              {onCancel && (
                <Button variant="default" onClick={onCancel}>
                  {t('photo.cancel')}
                </Button>
              )}
              <KeptNote state={state} isStaff={!!staff} />
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
            <StatusDot tone="attention" label={missingWords} />
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

function Refusal({ state }: { state: SectionForm }) {
  const { t } = useTranslation('applicants')
  return (
    <>
      {state.isStale && (
        <Alert color="orange" role="alert" ref={bringIntoView}>
          {t('form.stale')}
        </Alert>
      )}
      {state.formError && (
        <Alert color="red" role="alert" ref={bringIntoView} title={t('form.failed')}>
          {state.formError}
        </Alert>
      )}
    </>
  )
}

/** Says when the answers were saved, or that the device keeps them. */
function KeptNote({ state: { savedAt, dirty }, isStaff }: { state: SectionForm; isStaff: boolean }) {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  return (
    <Text size="sm" c="dimmed" role="status" aria-live="polite">
      {savedAt ? t('form.saved', { time: timeOfDay(savedAt, language) }) : dirty && !isStaff ? t('form.draftKept') : ''}
    </Text>
  )
}

/** Focuses the control with this name, or the one whose label starts with this label. */
function useFocusOnField(form: RefObject<HTMLFormElement | null>, field: { name: string; label: string } | null) {
  const { name, label } = field ?? {}
  useEffect(() => {
    if (!name || !label || !form.current) return
    const named = form.current.elements.namedItem(name)
    if (named instanceof HTMLElement) return named.focus()
    const labelElement = [...form.current.querySelectorAll('label, legend')].find((element) =>
      element.textContent?.startsWith(label),
    )
    const control =
      labelElement instanceof HTMLLabelElement
        ? labelElement.control
        : (labelElement?.parentElement ?? form.current).querySelector<HTMLElement>('input, select, button')
    control?.focus()
  }, [form, name, label])
}
