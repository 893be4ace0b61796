import { notifications } from '@mantine/notifications'
import { type FormEvent, useReducer } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { submitRegistration } from '#domain/admissions/endpoints.ts'
import { type TestSeatView, takeTestSeat } from '#domain/testing/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { useSend } from '#web/api/send.ts'
import {
  emptyForm,
  placeOf,
  problemOf,
  type StepKey,
  stepsFor,
} from '#web/modules/admissions/apply/registration-form.ts'
import { bodyOf, useRegistrationChecks, useSaveForm } from '#web/modules/admissions/apply/use-registration-form.ts'
import { useRefreshRegistrations } from '#web/modules/admissions/use-registration.ts'
import { emptyScreen, nextScreen, stepOnScreen } from './screen.ts'
import type { RegistrationDraft } from './use-registration-draft.ts'

/** The seat of the draft, and the way to take another session; the page has them from the module of tests. */
export type TestSeat = { seat: TestSeatView | null; take: (sessionId: string) => Promise<unknown> }

/** Goes from step to step: each is checked, saved where the server has to know, and the last one submits. */
export function useRegistrationSteps(draft: RegistrationDraft, { seat, take }: TestSeat) {
  const { form, setForm, askedId, chosen } = draft
  const { t } = useTranslation('registration')
  const [search, setSearch] = useSearchParams()
  const [screen, tell] = useReducer(nextScreen, emptyScreen)
  const save = useSaveForm()
  const submit = useSubmit(draft, seat)
  const checks = useRegistrationChecks({
    form,
    options: chosen,
    start: draft.resumed ? emptyForm : form,
    refusal: screen.failure ?? undefined,
  })
  const steps = stepsFor(draft.track)
  const step = stepOnScreen(form, steps, { step: search.get('step'), registrationId: askedId })
  const at = steps.indexOf(step)

  const goTo = (next: StepKey) => {
    tell({ kind: 'stepChanged' })
    // The questions of the next screen were not asked yet.
    checks.reset(bodyOf(form))
    setForm((before) => ({ ...before, step: next }))
    setSearch(form.registrationId && askedId ? { id: askedId, step: next } : { step: next })
  }

  const saveDraft = async () => {
    const saved = await save(form, t('form.switched'))
    setForm((before) => ({ ...before, registrationId: saved.id, startedFor: placeOf(form), version: saved.version }))
    return saved.id
  }

  const finishStep = async () => {
    if (step === 'check') return submit(await saveDraft())
    if (step === 'programme' || step === 'donation') await saveDraft()
    if (step === 'test' && screen.sessionId && screen.sessionId !== seat?.session.id) await take(screen.sessionId)
    goTo(steps[at + 1] ?? 'check')
  }

  const goOn = async (event: FormEvent) => {
    event.preventDefault()
    if (screen.sending || !checks.isReady()) return
    // What stands beside no field of this screen.
    const problem = problemOf(step, form, chosen)
    if (problem) return tell({ kind: 'blocked', problem })
    if (step === 'check' && !screen.agreed) return tell({ kind: 'blocked', problem: { key: 'form.agreeNeeded' } })
    tell({ kind: 'sending' })
    try {
      await finishStep()
      tell({ kind: 'sent' })
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'unknown', t('form.notSaved'))
      tell({ kind: 'failed', failure })
    }
  }

  return {
    screen,
    tell,
    checks,
    steps,
    step,
    at,
    /** Whether the number of steps is certain. */
    known: draft.track !== undefined,
    goOn,
    goBack: () => goTo(steps[at - 1] ?? 'track'),
  }
}

export type RegistrationSteps = ReturnType<typeof useRegistrationSteps>

/** Submits the saved draft and books the seat that was held for it. */
function useSubmit({ clear }: RegistrationDraft, seat: TestSeatView | null) {
  const { t } = useTranslation('registration')
  const sendSubmission = useSend(submitRegistration)
  const takeSeat = useSend(takeTestSeat)
  const refresh = useRefreshRegistrations()
  const navigate = useNavigate()

  return async (id: string) => {
    await sendSubmission({ params: { id }, body: {} })
    if (seat?.status === 'held') {
      const booked = await takeSeat({ params: { id }, body: { testSessionId: seat.session.id } }).catch(() => null)
      if (!booked) notifications.show({ color: 'yellow', message: t('form.seatLost'), autoClose: false })
    }
    clear()
    await refresh()
    notifications.show({ color: 'green', message: t('form.submitted') })
    navigate(`/pendaftaran/${id}`, { replace: true })
  }
}
