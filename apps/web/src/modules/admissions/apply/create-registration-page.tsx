import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { rupiah } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { isApplicant } from '#web/modules/admissions/dashboard/next-step.ts'
import { RefusedAnswers } from '#web/modules/admissions/registration/refused-answers.tsx'
import { Forbidden } from '#web/modules/errors/forbidden.tsx'
import { ClosedNotice } from '#web/modules/opening/closed-notice.tsx'
import { StepTest } from '#web/modules/testing/step-test.tsx'
import { useTestSchedule } from '#web/modules/testing/use-test-seat.ts'
import { useBranding } from '#web/shell/branding.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { bringIntoView } from '#web/ui/bring-into-view.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DraftSaved } from '#web/ui/form/draft.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import classes from './form.module.css'
import { StepButtons } from './steps/step-buttons.tsx'
import { StepHeading } from './steps/step-heading.tsx'
import { StepQuestions } from './steps/step-questions.tsx'
import { useRegistrationDraft } from './steps/use-registration-draft.ts'
import { useRegistrationSteps } from './steps/use-registration-steps.ts'

const CounterForm = lazyPart(() => import('#web/modules/admissions/counter/counter-form.tsx'))

/** A new registration: the wizard for applicants, the counter's form for staff. */
export default function CreateRegistrationPage() {
  const { user, may } = useSession()
  if (isApplicant(user?.role.name)) return <Wizard />
  if (!may('pendaftaran-counter')) return <Forbidden />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <CounterForm />
    </Suspense>
  )
}

/** One question group per screen; the device keeps the answers until they are submitted. */
function Wizard() {
  const { t } = useTranslation('registration')
  const { registrationOpen } = useBranding()
  const draft = useRegistrationDraft()
  const { schedule, take } = useTestSchedule(draft.form.registrationId)
  const { seat = null, sessions = [] } = schedule.data?.data ?? {}
  const openSessions = sessions.filter(({ state }) => state === 'open')
  const chosenId = openSessions.find(({ id }) => id === draft.form.testSessionId)?.id ?? null
  const steps = useRegistrationSteps(draft, { seat, chosenId, take: take.mutateAsync })
  const { step, checks, screen } = steps
  const { problem: stepProblem, failure } = screen
  const problem = stepProblem ? String(t(stepProblem.key, { amount: rupiah(stepProblem.minimum ?? 0) })) : undefined

  if (!registrationOpen && !draft.form.registrationId) return <ClosedNotice />
  const isOpen = draft.waves.some((wave) => wave.tracks.some(({ state }) => state === 'open'))
  if (!draft.loading && draft.intake.data && !isOpen && !draft.form.registrationId) return <NothingOpen />
  return (
    <form {...checks.form} className={classes.page} onSubmit={steps.goOn} noValidate>
      <StepHeading {...steps} offer={draft.offer} />
      <Stack gap="md" mt="lg">
        {draft.resumed && <Resumed onStartOver={draft.forget} />}
        <StepQuestions
          draft={draft}
          steps={steps}
          seat={seat}
          test={
            <StepTest
              schedule={schedule}
              chosenId={chosenId}
              onChoose={(testSessionId) => draft.setForm((previous) => ({ ...previous, testSessionId }))}
              failure={take.error?.message ?? failure?.message}
            />
          }
          problem={problem}
        />
        {failure && step === 'check' && (
          <RefusedAnswers
            errors={failure.errors}
            message={failure.message}
            registrationId={draft.detail?.id ?? draft.form.registrationId}
          />
        )}
        {failure && checks.formError && step !== 'check' && step !== 'test' && (
          <Failure failure={failure} message={checks.formError} />
        )}
      </Stack>
      <StepButtons
        steps={steps}
        disabled={draft.loading}
        hasSession={seat !== null || chosenId !== null}
        problem={problem}
      />
      <DraftSaved savedAt={draft.savedAt} failed={draft.failed} />
    </form>
  )
}

function NothingOpen() {
  const { t } = useTranslation(['registration', 'common'])
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
}

function Resumed({ onStartOver }: { onStartOver: () => void }) {
  const { t } = useTranslation('registration')
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" c="dimmed">
        {t('form.resumed')}
      </Text>
      <ConfirmButton
        variant="subtle"
        size="compact-md"
        mih={44}
        title={t('form.startOverTitle')}
        message={t('form.startOverText')}
        keepLabel={t('form.startOverKeep')}
        onConfirm={onStartOver}
      >
        {t('form.startOver')}
      </ConfirmButton>
    </Group>
  )
}

function Failure({ failure, message }: { failure: ApiError; message: string }) {
  const { t } = useTranslation('registration')
  return (
    <Alert color="red" role="alert" ref={bringIntoView}>
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
