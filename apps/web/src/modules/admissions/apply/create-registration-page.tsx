import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { getStudyIntent } from '#domain/accounts/endpoints.ts'
import { readIntake, readIntakeOptions, submitRegistration } from '#domain/admissions/endpoints.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { takeTestSeat } from '#domain/testing/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { RefusedAnswers } from '#web/modules/admissions/refused-answers.tsx'
import { useRefreshRegistrations, useRegistration } from '#web/modules/admissions/use-registration.ts'
import { StepTest } from '#web/modules/testing/step-test.tsx'
import { useTestSchedule } from '#web/modules/testing/use-test-seat.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { DraftSaved, useDraft } from '#web/ui/form/draft.tsx'
import { LoadingOrFailed, Missing } from '#web/ui/missing.tsx'
import { DonationField } from './donation-field.tsx'
import classes from './form.module.css'
import { ProgrammeChoices } from './programme-choices.tsx'
import {
  donationRuleOf,
  emptyForm,
  fitted,
  formOf,
  placeOf,
  problemOf,
  reachable,
  type StepKey,
  stepKeys,
  stepsFor,
  withIntent,
} from './registration-form.ts'
import { StepCheck } from './step-check.tsx'
import { StepTrack } from './step-track.tsx'
import { bodyOf, useRegistrationChecks, useSaveForm } from './use-registration-form.ts'

/** A new registration, one question group per screen; what is filled in stays on the device until it is submitted. */
export default function CreateRegistrationPage() {
  const sendSubmission = useSend(submitRegistration)
  const takeSeat = useSend(takeTestSeat)
  const { t } = useTranslation(['registration', 'common'])
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const [form, setForm, draft] = useDraft('registration', emptyForm)
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const [agreed, agree] = useState(false)
  const [session, chooseSession] = useState<string | null>(null)
  const [resumed] = useState(draft.restored && form.trackId !== null)
  const heading = useRef<HTMLHeadingElement>(null)
  const save = useSaveForm()
  const refresh = useRefreshRegistrations()

  const wanted = search.get('id')
  const intake = useEndpoint(readIntake)
  const intent = useEndpoint(getStudyIntent)
  const registration = useRegistration(wanted ?? form.registrationId ?? '')
  const { waveId, trackId } = form
  const options = useEndpoint(
    readIntakeOptions,
    { query: { waveId: waveId ?? '', trackId: trackId ?? '' } },
    { enabled: waveId !== null && trackId !== null },
  )
  const { schedule, take } = useTestSchedule(form.registrationId)
  const waves = intake.data?.data ?? []
  const track = waves.find(({ id }) => id === waveId)?.tracks.find(({ id }) => id === trackId)
  const chosen = options.data?.data
  const checks = useRegistrationChecks({
    form,
    options: chosen,
    start: resumed ? emptyForm : form,
    refusal: failure,
  })
  const steps = stepsFor(track ?? registration.data?.data.track)
  const asked = search.get('step') as StepKey | null
  const meant = asked && steps.includes(asked) ? asked : steps.includes(form.step) ? form.step : 'track'
  const step = wanted ? meant : reachable(meant, form)
  const at = steps.indexOf(step)
  const known = track !== undefined || registration.data !== undefined

  // A draft begun earlier or elsewhere is taken up where it stands; one that is no draft any more is let go.
  const detail = registration.data?.data
  useEffect(() => {
    if (!detail) return
    if (detail.status !== 'draft') {
      draft.clear()
      setForm(emptyForm)
      navigate(`/pendaftaran/${detail.id}`, { replace: true })
    } else if (wanted && form.registrationId !== detail.id) setForm(formOf(detail))
    else if (form.registrationId === detail.id && form.version !== detail.version)
      setForm((before) => ({ ...formOf(detail), step: before.step }))
  }, [detail, wanted, form.registrationId, form.version, navigate, setForm, draft.clear])

  // What was picked before signing up stands here already.
  const picked = intent.data?.data
  useEffect(() => {
    if (!picked || !intake.data || wanted || form.trackId) return
    setForm((before) => withIntent(before, picked, intake.data.data))
  }, [picked, intake.data, wanted, form.trackId, setForm])

  useEffect(() => {
    if (chosen) setForm((before) => (before.trackId === chosen.track.id ? fitted(before, chosen) : before))
  }, [chosen, setForm])

  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])

  const goTo = (next: StepKey) => {
    setProblem(undefined)
    setFailure(undefined)
    // The questions of the next screen were not asked yet.
    checks.reset(bodyOf(form))
    setForm((before) => ({ ...before, step: next }))
    setSearch(form.registrationId && wanted ? { id: wanted, step: next } : { step: next })
  }
  const startOver = () => {
    draft.clear()
    setForm(emptyForm)
    setSearch({}, { replace: true })
  }

  const saveDraft = async () => {
    const saved = await save(form, t('form.switched'))
    setForm((before) => ({ ...before, registrationId: saved.id, startedFor: placeOf(form), version: saved.version }))
    return saved.id
  }

  const submit = async () => {
    const id = await saveDraft()
    await sendSubmission({ params: { id }, body: {} })
    const seat = schedule.data?.data.seat
    if (seat?.status === 'held') {
      const booked = await takeSeat({ params: { id }, body: { testSessionId: seat.session.id } }).catch(() => null)
      if (!booked) notifications.show({ color: 'yellow', message: t('form.seatLost'), autoClose: false })
    }
    draft.clear()
    await refresh()
    notifications.show({ color: 'green', message: t('form.submitted') })
    navigate(`/pendaftaran/${id}`, { replace: true })
  }

  const goOn = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (!checks.isReady()) return
    // What stands beside no field of this screen.
    const found = problemOf(step, form, chosen)
    if (found) return setProblem(t(found.key as never, { amount: rupiah(found.minimum ?? 0) }))
    if (step === 'check' && !agreed) return setProblem(t('form.agreeNeeded'))
    setProblem(undefined)
    setFailure(undefined)
    setBusy(true)
    try {
      if (step === 'check') return await submit()
      if (step === 'programme' || step === 'donation') await saveDraft()
      if (step === 'test' && session && session !== schedule.data?.data.seat?.session.id)
        await take.mutateAsync(session)
      goTo(steps[at + 1] ?? 'check')
    } catch (error) {
      setFailure(error instanceof ApiError ? error : new ApiError(0, 'unknown', t('form.notSaved')))
    } finally {
      setBusy(false)
    }
  }

  const loading = intake.isPending || (wanted !== null && registration.isPending)
  const open = waves.some((wave) => wave.tracks.some(({ state }) => state === 'open'))
  if (!loading && intake.data && !open && !form.registrationId)
    return (
      <Card>
        <EmptyState title={t('form.none')}>
          <Text>{t('form.noneHint')}</Text>
          <Button component={Link} to="/dashboard" variant="default">
            {t('common:toDashboard')}
          </Button>
        </EmptyState>
      </Card>
    )
  const lead = {
    track: 'form.trackLead',
    programme: chosen?.track.maxChoices === 1 ? 'form.programmeLeadOne' : 'form.programmeLead',
    donation: 'form.donationLead',
    test: 'form.testLead',
    check: null,
  }[step]
  return (
    <form {...checks.form} className={classes.page} onSubmit={goOn} noValidate>
      <p className={classes.steps}>
        {known
          ? t('form.step', { number: at + navigationConstants.stepperStartIndex, count: steps.length })
          : t('form.stepFirst')}
      </p>
      <div className={classes.bar} aria-hidden="true">
        {(known ? steps : stepKeys).map((key, index) => (
          <span key={key} data-done={index <= at || undefined} />
        ))}
      </div>
      <Title order={1} ref={heading} tabIndex={-1} className={classes.heading}>
        {t(`form.steps.${step}`)}
      </Title>
      {lead && (
        <Text c="dimmed" mt={4}>
          {t(lead as never)}
        </Text>
      )}
      <Stack gap="md" mt="lg">
        {resumed && (
          <Group gap="xs" justify="space-between">
            <Text size="sm" c="dimmed">
              {t('form.resumed')}
            </Text>
            <Button variant="subtle" size="compact-md" mih={44} onClick={startOver}>
              {t('form.startOver')}
            </Button>
          </Group>
        )}
        {(loading || !intake.data) && (
          <LoadingOrFailed error={intake.error} onRetry={intake.refetch} rows={4} height={96} />
        )}
        {wanted && !registration.data && <Missing error={registration.error} onRetry={registration.refetch} />}
        {!loading && intake.data && step === 'track' && (
          <StepTrack
            waves={waves}
            form={form}
            checks={checks}
            onChoose={(wave, chosenTrack) => {
              setProblem(undefined)
              setForm((before) => ({ ...before, waveId: wave, trackId: chosenTrack }))
            }}
          />
        )}
        {step !== 'track' && !chosen && (
          <LoadingOrFailed error={options.error} onRetry={options.refetch} rows={4} height={72} />
        )}
        {step === 'programme' && chosen && (
          <ProgrammeChoices options={chosen} form={form} onChange={setForm} checks={checks} />
        )}
        {step === 'donation' && chosen && (
          <DonationField
            rule={donationRuleOf(chosen, form)}
            value={form.donationAmount}
            onChange={(donationAmount) => setForm((before) => ({ ...before, donationAmount }))}
            {...checks.field('donationAmount')}
          />
        )}
        {step === 'test' && (
          <StepTest
            schedule={schedule}
            chosen={session}
            onChoose={chooseSession}
            failure={take.error?.message ?? failure?.message}
          />
        )}
        {step === 'check' && chosen && (
          <StepCheck
            options={chosen}
            form={form}
            registration={detail}
            seat={schedule.data?.data.seat ?? null}
            agreed={agreed}
            onAgree={(value) => {
              agree(value)
              setProblem(undefined)
            }}
            agreeError={problem}
          />
        )}
        {failure && step === 'check' && (
          <RefusedAnswers
            errors={failure.errors}
            message={failure.message}
            registrationId={detail?.id ?? form.registrationId}
          />
        )}
        {failure && checks.unsaid && step !== 'check' && step !== 'test' && (
          <Failure failure={failure} message={checks.unsaid} />
        )}
      </Stack>
      <div className={classes.actions}>
        {problem && (
          <Text c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
        <div className={classes.buttons}>
          {at > 0 && (
            <Button variant="default" onClick={() => goTo(steps[at - 1] ?? 'track')} disabled={busy}>
              {t('form.back')}
            </Button>
          )}
          <Button type="submit" className={classes.grow} loading={busy} disabled={loading}>
            {t(
              step === 'check'
                ? 'form.submit'
                : step === 'test' && !session && !schedule.data?.data.seat
                  ? 'form.testLater'
                  : 'form.next',
            )}
          </Button>
        </div>
      </div>
      <DraftSaved savedAt={draft.savedAt} failed={draft.failed} />
    </form>
  )
}

function Failure({ failure, message }: { failure: ApiError; message: string }) {
  const { t } = useTranslation('registration')
  return (
    <Alert color="red" role="alert">
      {message}
      {failure.code === 'registration_exists' && (
        <>
          {' '}
          <Anchor component={Link} to="/pendaftaran" underline="always" c="inherit">
            {t('list.title')}
          </Anchor>
        </>
      )}
    </Alert>
  )
}
