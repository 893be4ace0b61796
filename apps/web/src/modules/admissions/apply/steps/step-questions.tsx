import type { ReactNode } from 'react'
import type { TestSeatView } from '#domain/testing/endpoints.ts'
import { DonationField } from '#web/modules/admissions/apply/donation-field.tsx'
import { ProgrammeChoices } from '#web/modules/admissions/apply/programme-choices.tsx'
import { donationRuleOf, stepOfField } from '#web/modules/admissions/apply/registration-form.ts'
import { LoadingOrFailed, Missing } from '#web/ui/states/missing.tsx'
import { StepCheck } from './step-check.tsx'
import { StepTrack } from './step-track.tsx'
import type { RegistrationDraft } from './use-registration-draft.ts'
import type { RegistrationSteps } from './use-registration-steps.ts'

type Props = {
  draft: RegistrationDraft
  steps: RegistrationSteps
  seat: TestSeatView | null
  /** Content of the test step; the page supplies it. */
  test: ReactNode
  problem: string | undefined
}

/** Questions of the current step, or the error that prevents asking them. */
export function StepQuestions(props: Props) {
  const { draft, steps } = props
  const { intake, registration, options, addressId, loading } = draft
  return (
    <>
      {(loading || !intake.data) && (
        <LoadingOrFailed error={intake.error} onRetry={intake.refetch} rows={4} height={96} />
      )}
      {addressId && !registration.data && <Missing error={registration.error} onRetry={registration.refetch} />}
      {steps.step !== 'track' && !draft.offer && (
        <LoadingOrFailed error={options.error} onRetry={options.refetch} rows={4} height={72} />
      )}
      <Questions {...props} />
    </>
  )
}

function Questions({ draft, steps, seat, test, problem }: Props) {
  const { form, setForm, intake, offer, loading } = draft
  const { step, checks, screen, dispatch } = steps
  if (step === 'track')
    return (
      !loading &&
      intake.data && (
        <StepTrack
          waves={draft.waves}
          form={form}
          checks={checks}
          onChoose={(waveId, trackId) => {
            dispatch({ kind: 'trackChosen' })
            setForm(({ testSessionId: _, ...previous }) => ({ ...previous, waveId, trackId }))
          }}
        />
      )
    )
  if (step === 'test') return test
  if (!offer) return null
  if (step === 'programme') return <ProgrammeChoices options={offer} form={form} onChange={setForm} checks={checks} />
  if (step === 'donation')
    return (
      <DonationField
        rule={donationRuleOf(offer, form)}
        value={form.donationAmount}
        isOther={form.isOtherDonation ?? false}
        onChange={(donationAmount, isOtherDonation) =>
          setForm((previous) => ({ ...previous, donationAmount, isOtherDonation }))
        }
        {...checks.field('donationAmount')}
      />
    )
  return (
    <StepCheck
      options={offer}
      form={form}
      registration={draft.detail}
      seat={seat}
      isRefused={Object.keys(screen.failure?.errors ?? {}).some((field) => stepOfField(field) === 'profile')}
      agreed={screen.agreed}
      onAgree={(agreed) => dispatch({ kind: 'agreed', agreed })}
      agreeError={problem}
      blockedBy={screen.problem}
    />
  )
}
