import { applicantRole } from '#domain/access/applicant-role.ts'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import type { TodoItem } from '#domain/admissions/schemas.ts'
import { nextStep as nextStepOf } from '#domain/admissions/what-to-do.ts'
import { pathToMissing } from '#domain/applicants/profile.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const isApplicant = (roleName: string | undefined) => roleName === applicantRole

export const endedStatuses: readonly RegistrationStatus[] = ['withdrawn', 'cancelled', 'expired']
export const hasEnded = (status: RegistrationStatus) => endedStatuses.includes(status)

/** Colour of a registration; a refusal outranks the status. */
export function toneOf(status: RegistrationStatus, result: ShownResult, feeOwed = false): Tone {
  if (result === 'not_accepted' || hasEnded(status)) return 'stopped'
  if (feeOwed) return 'attention'
  if (status === 'enrolled' || status === 'confirmed') return 'done'
  if (status === 'draft' || status === 'submitted' || (status === 'decided' && result === 'accepted'))
    return 'attention'
  return 'progress'
}

type Facts = { status: RegistrationStatus; result: ShownResult; nextStep: TodoItem | null }

/**
 * Translation keys of the main sentence, most specific first: with amount, state and date if known. i18next uses the
 * first that exists.
 */
export function sentenceKeys({ status, result, nextStep }: Facts, now: Date): string[] {
  if (hasEnded(status) || status === 'enrolled') return [`next.${status}`]
  if (result === 'not_accepted') return ['next.not_accepted']
  if (!nextStep) return ['next.nothing']
  const amount = typeof nextStep.params.amount === 'number' && nextStep.state === 'todo' ? ['Amount', ''] : ['']
  const state = nextStep.state === 'waiting' ? ['Waiting', ''] : ['']
  // A past results date is not shown, because the results are late.
  const showsDue = nextStep.dueAt !== null && !(nextStep.key === 'result' && new Date(nextStep.dueAt) < now)
  const due = showsDue ? ['Due', ''] : ['']
  // A rejected document has its own sentence, because the applicant must send it again.
  const filesRefused =
    nextStep.key === 'files' && nextStep.state === 'todo' && Number(nextStep.params.rejected ?? 0) > 0
  const paymentTakenBack = nextStep.params.takenBack !== undefined && nextStep.state === 'todo'
  if (paymentTakenBack) return due.map((d) => `next.payAgain${d}`)
  if (filesRefused) return due.map((d) => `next.filesAgain${d}`)
  return amount.flatMap((a) => state.flatMap((s) => due.map((d) => `next.${nextStep.key}${a}${s}${d}`)))
}

/** Translation keys of the second sentence; a waiting step has its own, which says that there is nothing to do. */
export function afterKeys({ status, result, nextStep }: Facts): string[] {
  if (!nextStep || hasEnded(status) || status === 'enrolled' || result === 'not_accepted') return []
  const { key, state, params } = nextStep
  return [
    ...(key === 'attendTest' && params.mode === 'online' ? ['after.attendTestOnline'] : []),
    ...(state === 'waiting' ? [`after.${key}Waiting`] : []),
    `after.${key}`,
  ]
}

/** Path of a step's screen: the server's, or a default. */
export function pathOfStep(item: Pick<TodoItem, 'key' | 'path'>, registrationId: string): string {
  const registration = `/pendaftaran/${registrationId}`
  // Parts of the registration's page: the draft has its own form, the test is further down.
  if (item.key === 'submit') return `/pendaftaran/create?id=${registrationId}`
  if (item.key === 'test' || item.key === 'testOffer') return `${registration}#test`
  if (item.path) return item.path
  switch (item.key) {
    case 'data':
      return pathToMissing([], registrationId)
    case 'programme':
    case 'donation':
      return `${registration}/program`
    case 'payment':
    case 'reRegistration':
      return `${registration}/pembayaran`
    case 'files':
      return `${registration}/file`
    case 'confirmation':
      return '/konfirmasi-kelulusan'
    default:
      return registration
  }
}

/** Whether the hero leads to the step's own screen: it can be taken now, or it is the test ahead. */
export const leadsToStep = ({ key, state }: Pick<TodoItem, 'key' | 'state'>) => state === 'todo' || key === 'attendTest'

/** Step that the server also names first. */
export const firstStepOf = (todo: readonly TodoItem[]): TodoItem | null => nextStepOf(todo)

/** Step to show after a payment; a later instalment only if no other step is open or waiting. */
export const nextAfterPayment = (todo: readonly TodoItem[]): TodoItem | null => {
  const otherStep = firstStepOf(todo.filter(({ key }) => key !== 'reRegistration'))
  return otherStep && otherStep.state !== 'blocked' ? otherStep : firstStepOf(todo)
}

const urgency = { todo: 0, blocked: 1, waiting: 2, done: 3 } as const

/** Sorts by urgency: registrations that need the applicant first, ended ones last. */
export const byUrgency = <R extends Facts>(registrations: readonly R[]): R[] => {
  const rank = ({ status, result, nextStep }: R) =>
    hasEnded(status) || result === 'not_accepted'
      ? 9
      : status === 'enrolled'
        ? 5
        : nextStep
          ? urgency[nextStep.state]
          : 4
  return registrations
    .map((registration, index) => ({ registration, index }))
    .sort((a, b) => rank(a.registration) - rank(b.registration) || a.index - b.index)
    .map(({ registration }) => registration)
}

/**
 * Wording of a date: `before` (deadline), `overdue`, `at` (test) or `expected` (results); null for a results date that
 * has passed.
 */
export function dueKeyOf(item: Pick<TodoItem, 'key' | 'dueAt' | 'state'>, now: Date) {
  const isPast = item.dueAt !== null && new Date(item.dueAt) < now
  if (item.key === 'result') return isPast ? null : ('expected' as const)
  if (item.key === 'attendTest') return 'at' as const
  return item.state === 'todo' && isPast ? ('overdue' as const) : ('before' as const)
}
