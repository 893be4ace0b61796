import { Alert, Anchor, Checkbox, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import type { IntakeChoices } from '#domain/admissions/intake-schemas.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { getProfile } from '#domain/applicants/endpoints.ts'
import { pathToMissing } from '#domain/applicants/profile.ts'
import type { TestSeatView } from '#domain/testing/endpoints.ts'
import { rupiah, weekdayDate } from '#locales/format.ts'
import { zoneName } from '#locales/zone-name.ts'
import { useEndpoint } from '#web/api/query.ts'
import classes from '#web/modules/admissions/apply/form.module.css'
import {
  classOf,
  entryLevelOf,
  programmeIdsOf,
  type RegistrationForm,
  type StepKey,
  stepsFor,
} from '#web/modules/admissions/apply/registration-form.ts'
import { MissingAnswers } from '#web/modules/admissions/registration/missing-answers.tsx'
import { Card } from '#web/ui/card.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { Screen } from './screen.ts'

type Props = {
  options: IntakeChoices
  form: RegistrationForm
  registration: RegistrationDetail | undefined
  seat: TestSeatView | null
  /** Whether the server refused because of missing answers, which the page lists beside the refusal. */
  isRefused: boolean
  agreed: boolean
  onAgree: (agreed: boolean) => void
  agreeError: string | undefined
  /** Another object for each press that was stopped. */
  blockedBy: Screen['problem']
}

/** All answers on one page, each with its own Change link. */
export function StepCheck({
  options,
  form,
  registration,
  seat,
  isRefused,
  agreed,
  onAgree,
  agreeError,
  blockedBy,
}: Props) {
  const agreeBox = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!blockedBy) return
    agreeBox.current?.focus({ preventScroll: true })
    agreeBox.current?.scrollIntoView({ block: 'center' })
  }, [blockedBy])
  const { t } = useTranslation(['registration', 'testing', 'dashboard'])
  const { language } = useSurroundings()
  const steps = stepsFor(options.track)
  const data = registration?.todo.find(({ key }) => key === 'data')
  const missingCount = data?.state === 'todo' ? Number(data.params.count ?? 1) : 0
  const classProgramme = classOf(options, form)
  const fee = classProgramme?.fee ?? 0
  const nameOf = (id: string) => classProgramme?.programmes.find((programme) => programme.id === id)?.name ?? '—'
  const stepPath = (step: StepKey) => `/pendaftaran/create?step=${step}`
  const profile = useEndpoint(getProfile)
  const missingFields = profile.data?.data?.missing ?? []
  return (
    <Stack gap="lg">
      {missingFields.length > 0 && !isRefused && (
        <Alert color="orange" variant="light" title={t('form.missing')}>
          <p style={{ marginTop: 0 }}>{t('form.missingProfile')}</p>
          <ul className={classes.list}>
            <MissingAnswers fields={missingFields} registrationId={registration?.id} />
          </ul>
        </Alert>
      )}
      <Card flush>
        <dl className={classes.answers}>
          {registration && (
            <Answer label={t('form.who')} to={data?.path ?? pathToMissing([], registration.id)}>
              {registration.applicant.name}
              <br />
              {registration.applicant.phone && (
                <span style={{ whiteSpace: 'nowrap' }}>{formatPhone(registration.applicant.phone)}</span>
              )}
              {registration.applicant.phone && registration.applicant.schoolName && ' · '}
              {registration.applicant.schoolName}
              {missingCount > 0 && (
                <div>
                  <StatusDot tone="attention" label={t('dashboard:missing', { count: missingCount })} />
                </div>
              )}
            </Answer>
          )}
          <Answer label={t('form.steps.track')} to={stepPath('track')}>
            {options.track.name}
            <br />
            {t('form.wave', { name: options.wave.name, year: options.wave.academicYear })}
          </Answer>
          <Answer label={t('form.classProgramme')} to={stepPath('programme')}>
            {[classProgramme?.name, entryLevelOf(options, form)?.name].filter(Boolean).join(' · ')}
          </Answer>
          <Answer label={t('form.steps.programme')} to={stepPath('programme')}>
            <ol className={classes.list}>
              {programmeIdsOf(form.choices).map((id) => (
                <li key={id}>{nameOf(id)}</li>
              ))}
            </ol>
          </Answer>
          {steps.includes('donation') && (
            <Answer label={t('form.steps.donation')} to={stepPath('donation')}>
              {form.donationAmount ? rupiah(form.donationAmount) : t('form.noDonation')}
            </Answer>
          )}
          {steps.includes('test') && (
            <Answer label={t('form.steps.test')} to={stepPath('test')}>
              {seat ? (
                <>
                  {weekdayDate(seat.session.date, language)}
                  <br />
                  {t('testing:until', {
                    from: seat.session.startTime.replace(':', '.'),
                    to: seat.session.endTime.replace(':', '.'),
                    zone: zoneName(),
                  })}{' '}
                  · {seat.session.name}
                </>
              ) : (
                t('form.testNone')
              )}
            </Answer>
          )}
          <Answer label={t('form.fee')}>{fee === 0 ? t('form.free') : <strong>{rupiah(fee)}</strong>}</Answer>
        </dl>
      </Card>
      <Text>{t('form.checkLead')}</Text>
      <Checkbox
        ref={agreeBox}
        label={t('form.agree')}
        checked={agreed}
        onChange={(event) => onAgree(event.currentTarget.checked)}
        error={agreeError}
        styles={{ body: { minHeight: 44, alignItems: 'center' } }}
      />
    </Stack>
  )
}

function Answer({ label, to, children }: { label: string; to?: string; children: ReactNode }) {
  const { t } = useTranslation('registration')
  return (
    <div className={classes.answer}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {to && (
        <dd className={classes.change}>
          <Anchor
            component={Link}
            to={to}
            aria-label={t('form.changeWhat', { what: label })}
            style={{ display: 'inline-flex', minHeight: 44, alignItems: 'center' }}
          >
            {t('form.change')}
          </Anchor>
        </dd>
      )}
    </div>
  )
}
