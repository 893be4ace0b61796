import { DonationField } from '#web/modules/admissions/apply/donation-field.tsx'
import { ProgrammeChoices } from '#web/modules/admissions/apply/programme-choices.tsx'
import { donationRuleOf } from '#web/modules/admissions/apply/registration-form.ts'
import { StepTest } from '#web/modules/testing/step-test.tsx'
import { LoadingOrFailed, Missing } from '#web/ui/missing.tsx'
import { StepCheck } from './step-check.tsx'
import { StepTrack } from './step-track.tsx'
import type { RegistrationDraft } from './use-registration-draft.ts'
import type { RegistrationSteps } from './use-registration-steps.ts'

type Props = { draft: RegistrationDraft; steps: RegistrationSteps; problem: string | undefined }

/** The questions of the step on screen, or why they cannot be asked yet. */
export function StepQuestions({ draft, steps, problem }: Props) {
  const { intake, registration, options, askedId, loading } = draft
  return (
    <>
      {(loading || !intake.data) && (
        <LoadingOrFailed error={intake.error} onRetry={intake.refetch} rows={4} height={96} />
      )}
      {askedId && !registration.data && <Missing error={registration.error} onRetry={registration.refetch} />}
      {steps.step !== 'track' && !draft.chosen && (
        <LoadingOrFailed error={options.error} onRetry={options.refetch} rows={4} height={72} />
      )}
      <Questions draft={draft} steps={steps} problem={problem} />
    </>
  )
}

function Questions({ draft, steps, problem }: Props) {
  const { form, setForm, intake, chosen, testSchedule, loading } = draft
  const { step, checks, screen, tell } = steps
  const { schedule, take } = testSchedule
  if (step === 'track')
    return (
      !loading &&
      intake.data && (
        <StepTrack
          waves={draft.waves}
          form={form}
          checks={checks}
          onChoose={(waveId, trackId) => {
            tell({ kind: 'trackChosen' })
            setForm((before) => ({ ...before, waveId, trackId }))
          }}
        />
      )
    )
  if (step === 'test')
    return (
      <StepTest
        schedule={schedule}
        chosen={screen.sessionId}
        onChoose={(sessionId) => tell({ kind: 'sessionChosen', sessionId })}
        failure={take.error?.message ?? screen.failure?.message}
      />
    )
  if (!chosen) return null
  if (step === 'programme') return <ProgrammeChoices options={chosen} form={form} onChange={setForm} checks={checks} />
  if (step === 'donation')
    return (
      <DonationField
        rule={donationRuleOf(chosen, form)}
        value={form.donationAmount}
        onChange={(donationAmount) => setForm((before) => ({ ...before, donationAmount }))}
        {...checks.field('donationAmount')}
      />
    )
  return (
    <StepCheck
      options={chosen}
      form={form}
      registration={draft.detail}
      seat={schedule.data?.data.seat ?? null}
      agreed={screen.agreed}
      onAgree={(agreed) => tell({ kind: 'agreed', agreed })}
      agreeError={problem}
    />
  )
}
