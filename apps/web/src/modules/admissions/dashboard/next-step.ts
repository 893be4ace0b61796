import { applicantRole } from '#domain/access/applicant-role.ts'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import type { TodoItem } from '#domain/admissions/schemas.ts'
import { pathToMissing } from '#domain/applicants/profile.ts'
import type { Tone } from '#web/ui/status-dot.tsx'

export const isApplicant = (roleName: string | undefined) => roleName === applicantRole

export const endedStatuses: readonly RegistrationStatus[] = ['withdrawn', 'cancelled', 'expired']
export const hasEnded = (status: RegistrationStatus) => endedStatuses.includes(status)

/** What an applicant is to be told: the refusal counts more than the status behind it. */
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
 * Keys of the sentence that comes first, the most telling one in front: with the sum and the date where they are
 * known. i18next takes the first that exists.
 */
export function sentenceKeys({ status, result, nextStep }: Facts, now = new Date()): string[] {
  if (hasEnded(status) || status === 'enrolled') return [`next.${status}`]
  if (result === 'not_accepted') return ['next.not_accepted']
  if (!nextStep) return ['next.nothing']
  const amount = typeof nextStep.params.amount === 'number' && nextStep.state === 'todo' ? ['Amount', ''] : ['']
  const state = nextStep.state === 'waiting' ? ['Waiting', ''] : ['']
  // A day of announcement that has passed is no promise any more.
  const promised = nextStep.dueAt !== null && !(nextStep.key === 'result' && new Date(nextStep.dueAt) < now)
  const due = promised ? ['Due', ''] : ['']
  // Something sent before was refused: that is not the same as never sent.
  const again = nextStep.key === 'files' && nextStep.state === 'todo' && Number(nextStep.params.rejected ?? 0) > 0
  const takenBack = nextStep.params.takenBack !== undefined && nextStep.state === 'todo'
  if (takenBack) return due.map((d) => `next.payAgain${d}`)
  if (again) return due.map((d) => `next.filesAgain${d}`)
  return amount.flatMap((a) => state.flatMap((s) => due.map((d) => `next.${nextStep.key}${a}${s}${d}`)))
}

/** What follows after it; what is waited for tells that nothing is to be done. */
export function afterKeys({ status, result, nextStep }: Facts): string[] {
  if (!nextStep || hasEnded(status) || status === 'enrolled' || result === 'not_accepted') return []
  return [...(nextStep.state === 'waiting' ? [`after.${nextStep.key}Waiting`] : []), `after.${nextStep.key}`]
}

/** The screen where a step is done; the server names it, this is for what it leaves out. */
export function pathOfStep(item: Pick<TodoItem, 'key' | 'path'>, registrationId: string): string {
  const registration = `/pendaftaran/${registrationId}`
  // These two are parts of the registration's page: one is a form of its own, the other further down.
  if (item.key === 'submit') return `/pendaftaran/create?id=${registrationId}`
  if (item.key === 'test') return `${registration}#test`
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

/** The first thing to do, failing that what is waited for. */
export const firstOf = (todo: readonly TodoItem[]): TodoItem | null =>
  (['todo', 'waiting', 'blocked'] as const)
    .map((state) => todo.find((item) => item.state === state))
    .find((item) => item !== undefined) ?? null

/** Step to show after a payment; a later instalment only if no other step is open or waiting. */
export const nextAfterPayment = (todo: readonly TodoItem[]): TodoItem | null => {
  const other = firstOf(todo.filter(({ key }) => key !== 'reRegistration'))
  return other && other.state !== 'blocked' ? other : firstOf(todo)
}

const urgency = { todo: 0, blocked: 1, waiting: 2, done: 3 } as const

/** The registration that needs the applicant most stands first; ended ones last. */
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

/** How a date is to be read: announced on, to be done by, or missed. A promised day that has passed is not shown. */
export function dueKeyOf(item: Pick<TodoItem, 'key' | 'dueAt' | 'state'>, now: Date) {
  const past = item.dueAt !== null && new Date(item.dueAt) < now
  if (item.key === 'result') return past ? null : ('expected' as const)
  return item.state === 'todo' && past ? ('overdue' as const) : ('before' as const)
}
