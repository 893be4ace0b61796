import { notifications } from '@mantine/notifications'
import { type FormEvent, useReducer } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { submitRegistration } from '#domain/admissions/endpoints.ts'
import { type TestSeatView, takeTestSeat } from '#domain/testing/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import {
  emptyForm,
  placeOf,
  problemOf,
  type StepKey,
  stepsFor,
} from '#web/modules/admissions/apply/registration-form.ts'
import { bodyOf, useRegistrationChecks, useSaveForm } from '#web/modules/admissions/apply/use-registration-form.ts'
import { useRefreshRegistrations } from '#web/modules/admissions/registration/use-registration.ts'
import { emptyScreen, nextScreen, stepOnScreen } from './screen.ts'
import type { RegistrationDraft } from './use-registration-draft.ts'

/** Seat of the draft, the open session chosen for it, and the call that takes its seat: all from the testing module. */
export type TestSeat = {
  seat: TestSeatView | null
  chosenId: string | null
  take: (sessionId: string) => Promise<unknown>
}

/** Moves between the steps and checks each. Programme and donation save the draft; the last step submits it. */
export function useRegistrationSteps(draft: RegistrationDraft, { seat, chosenId, take }: TestSeat) {
  const { form, setForm, addressId, offer } = draft
  const { t } = useTranslation('registration')
  const [search, setSearch] = useSearchParams()
  const [screen, dispatch] = useReducer(nextScreen, emptyScreen)
  const save = useSaveForm()
  const submit = useSubmit(draft, seat)
  const checks = useRegistrationChecks({
    form,
    options: offer,
    untouched: draft.resumed ? emptyForm : form,
    refusal: screen.failure ?? undefined,
  })
  const steps = stepsFor(draft.track)
  const step = stepOnScreen(form, steps, { step: search.get('step'), registrationId: addressId })
  const stepIndex = steps.indexOf(step)

  const goTo = (next: StepKey) => {
    dispatch({ kind: 'stepChanged' })
    // Marks the next screen's questions as untouched, so that they show no errors.
    checks.reset(bodyOf(form))
    setForm((previous) => ({ ...previous, step: next }))
    setSearch(form.registrationId && addressId ? { id: addressId, step: next } : { step: next })
  }

  const saveDraft = async () => {
    const savedDraft = await save(form, t('form.switched'))
    setForm((previous) => ({
      ...previous,
      registrationId: savedDraft.id,
      startedFor: placeOf(form),
      version: savedDraft.version,
    }))
    return savedDraft.id
  }

  const finishStep = async () => {
    if (step === 'check') return submit(await saveDraft())
    if (step === 'programme' || step === 'donation') await saveDraft()
    if (step === 'test' && chosenId && chosenId !== seat?.session.id) await take(chosenId)
    goTo(steps[stepIndex + 1] ?? 'check')
  }

  const goOn = async (event: FormEvent) => {
    event.preventDefault()
    if (screen.sending || !checks.isReady()) return
    // Problems that concern no field of this screen.
    const problem = problemOf(step, form, offer)
    if (problem) return dispatch({ kind: 'blocked', problem })
    if (step === 'check' && !screen.agreed) return dispatch({ kind: 'blocked', problem: { key: 'form.agreeNeeded' } })
    dispatch({ kind: 'sending' })
    try {
      await finishStep()
      dispatch({ kind: 'sent' })
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'unknown', t('form.notSaved'))
      dispatch({ kind: 'failed', failure })
    }
  }

  return {
    screen,
    dispatch,
    checks,
    steps,
    step,
    stepIndex,
    /** Whether the number of steps is final; it depends on the track. */
    isCountCertain: draft.track !== undefined,
    goOn,
    goBack: () => goTo(steps[stepIndex - 1] ?? 'track'),
  }
}

export type RegistrationSteps = ReturnType<typeof useRegistrationSteps>

/** Submits the saved draft and books the held seat. */
function useSubmit({ clear }: RegistrationDraft, seat: TestSeatView | null) {
  const { t } = useTranslation('registration')
  const refresh = useRefreshRegistrations()
  const navigate = useNavigate()

  return async (id: string) => {
    await sendOnce(submitRegistration, { params: { id }, body: {} })
    if (seat?.status === 'held') {
      const booking = await sendOnce(takeTestSeat, { params: { id }, body: { testSessionId: seat.session.id } }).catch(
        () => null,
      )
      if (!booking) notifications.show({ color: 'yellow', message: t('form.seatLost'), autoClose: false })
    }
    clear()
    await refresh()
    notifications.show({ color: 'green', message: t('form.submitted') })
    navigate(`/pendaftaran/${id}`, { replace: true })
  }
}
