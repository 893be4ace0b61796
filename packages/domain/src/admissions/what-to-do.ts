import { pathToMissing } from '#domain/applicants/profile.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { isOwed, isSettled } from '#domain/payments/bills/bill-status.ts'
import type { BillFacts, RegistrationFacts } from './facts.ts'
import type { RegistrationStatus } from './registration-status.ts'
import { choiceProblems, donationProblem, missingForSubmission, windowState } from './submission.ts'
import type { TodoActor, TodoKey, TodoState } from './todo.ts'

export type Todo = {
  key: TodoKey
  state: TodoState
  blockedBy: string | null
  actor: TodoActor
  dueAt: Date | null
  path: string | null
  params: Record<string, string | number>
}

const statusOrder: RegistrationStatus[] = ['draft', 'submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled']

/** Steps of the applicant's dashboard: each with actor, deadline and blocking rule. */
export function whatToDo(facts: RegistrationFacts, now: Date): Todo[] {
  const statusIndex = statusOrder.indexOf(facts.status)
  if (statusIndex < 0) return []
  const hasReached = (status: RegistrationStatus) => statusIndex >= statusOrder.indexOf(status)
  const screen = `/pendaftaran/${facts.id}`
  const item = (key: TodoKey, state: TodoState, rest: Partial<Todo> = {}): Todo => ({
    key,
    state,
    blockedBy: null,
    actor: 'you',
    dueAt: null,
    path: null,
    params: {},
    ...rest,
  })
  const isDraft = facts.status === 'draft'
  const feeOwed = owesFeeAgain(facts)
  const closesAt = isDraft ? facts.window.closesAt : null

  const missing = facts.missingProfileFields.length
  const pathToData = pathToMissing(facts.missingProfileFields, isDraft ? facts.id : undefined)
  const data =
    isDraft && missing > 0
      ? item('data', 'todo', { path: pathToData, dueAt: closesAt, params: { count: missing } })
      : item('data', 'done', { path: pathToData })

  const programme = item('programme', isDraft && choiceProblems(facts).length > 0 ? 'todo' : 'done', {
    path: `${screen}/program`,
    dueAt: closesAt,
    params: { count: facts.choices.length, maximum: facts.maxChoices },
  })
  const donation = item('donation', isDraft && donationProblem(facts) ? 'todo' : 'done', {
    path: `${screen}/program`,
    dueAt: closesAt,
    params: { amount: facts.donationAmount ?? 0, minimum: facts.donation?.minimumAmount ?? 0 },
  })

  const todo = [data, programme, ...(facts.asksDonation ? [donation] : []), submit(), payment(), ...files(), ...test()]
  todo.push(result())
  if (facts.result !== 'not_accepted') todo.push(confirmation(), reRegistration(), studentNumber())
  return todo

  function submit(): Todo {
    if (!isDraft) return item('submit', 'done')
    const state = windowState(facts.window, now)
    const rest = { path: screen, dueAt: state === 'upcoming' ? facts.window.opensAt : closesAt }
    if (state === 'closed') return item('submit', 'blocked', { ...rest, blockedBy: 'window_closed', actor: 'staff' })
    if (state === 'upcoming') return item('submit', 'blocked', { ...rest, blockedBy: 'window_not_open' })
    const [firstProblem] = missingForSubmission(facts, now)
    if (!firstProblem) return item('submit', 'todo', rest)
    return item('submit', 'blocked', {
      ...rest,
      blockedBy: firstProblem.field.startsWith('profile.') ? 'profile_incomplete' : firstProblem.code,
      ...(firstProblem.params && { params: firstProblem.params }),
    })
  }

  function payment(): Todo {
    if (isDraft) return item('payment', 'blocked', { blockedBy: 'not_submitted' })
    if (hasReached('paid') && !feeOwed)
      return item('payment', 'done', {
        path: `${screen}/pembayaran`,
        params: { amount: paidOf(facts.registrationFee) },
      })
    return payBill('payment', facts.registrationFee)
  }

  function payBill(key: TodoKey, billFacts: BillFacts | null): Todo {
    const path = `${screen}/pembayaran`
    if (!billFacts || isSettled(billFacts.status))
      return item(key, billFacts ? 'waiting' : 'blocked', {
        actor: 'bank',
        path,
        blockedBy: billFacts ? null : 'no_bill',
      })
    return item(key, 'todo', {
      path,
      dueAt: billFacts.next?.dueAt ?? null,
      params: {
        amount: billFacts.next?.amount ?? billFacts.total - billFacts.paid,
        ...(billFacts.takenBack && { takenBack: billFacts.takenBack.amount, reason: billFacts.takenBack.reason }),
      },
    })
  }

  function files(): Todo[] {
    const { missing: missingFiles, rejected, dueOn, required } = facts.documents
    const rest = {
      path: `${screen}/file`,
      dueAt: dueOn ? universityCalendar().endOfDay(dueOn) : null,
      params: { missing: missingFiles, rejected },
    }
    if (missingFiles + rejected > 0) return [item('files', 'todo', rest)]
    if (facts.documentsState === 'to_review') return [item('files', 'waiting', { ...rest, actor: 'staff' })]
    return required > 0 ? [item('files', 'done', rest)] : []
  }

  function test(): Todo[] {
    if (!facts.hasTest) return []
    if (facts.seat) return [item('test', facts.seat.status === 'held' && !isDraft ? 'todo' : 'done', { path: screen })]
    if (isDraft) return [item('test', 'blocked', { blockedBy: 'not_submitted' })]
    if (hasReached('decided')) return []
    if (facts.testSessions === 0)
      return [item('test', 'waiting', { actor: 'staff', blockedBy: 'no_test_session', path: screen })]
    return [item('test', 'todo', { path: screen })]
  }

  function result(): Todo {
    if (facts.result !== 'waiting') return item('result', 'done', { path: screen })
    const dueAt = facts.publishAt ?? facts.window.resultsAt
    const blockedBy = isDraft
      ? 'not_submitted'
      : !hasReached('paid') || feeOwed
        ? 'fee_unpaid'
        : !hasReached('verified')
          ? 'documents_not_verified'
          : null
    return blockedBy
      ? item('result', 'blocked', { blockedBy, dueAt, actor: 'staff' })
      : item('result', 'waiting', { actor: 'staff', dueAt, path: screen })
  }

  function confirmation(): Todo {
    const dueAt = facts.window.confirmationDueAt
    if (hasReached('confirmed')) return item('confirmation', 'done', { path: '/konfirmasi-kelulusan' })
    if (facts.result === 'waiting') return item('confirmation', 'blocked', { blockedBy: 'result_waiting', dueAt })
    if (dueAt && now >= dueAt)
      return item('confirmation', 'blocked', { blockedBy: 'confirmation_closed', actor: 'staff', dueAt })
    return item('confirmation', 'todo', { path: '/konfirmasi-kelulusan', dueAt })
  }

  function reRegistration(): Todo {
    if (!hasReached('confirmed')) return item('reRegistration', 'blocked', { blockedBy: 'not_confirmed' })
    const { reRegistration: reRegistrationBill } = facts
    if (reRegistrationBill && isSettled(reRegistrationBill.status))
      return item('reRegistration', 'done', {
        path: `${screen}/pembayaran`,
        params: { amount: paidOf(reRegistrationBill) },
      })
    return payBill('reRegistration', reRegistrationBill)
  }

  function studentNumber(): Todo {
    if (facts.studentNumber)
      return item('studentNumber', 'done', { path: screen, params: { number: facts.studentNumber } })
    if (!hasReached('confirmed')) return item('studentNumber', 'blocked', { blockedBy: 'not_confirmed' })
    const { untilNumber } = facts
    if (untilNumber === 0) return item('studentNumber', 'waiting', { actor: 'staff', path: screen })
    return untilNumber === null
      ? item('studentNumber', 'blocked', { blockedBy: 'not_unlocked' })
      : item('studentNumber', 'blocked', { blockedBy: 'number_unpaid', params: { amount: untilNumber } })
  }
}

/** Whether the fee is due again after payment: the payment was reversed, or the fee rose. */
export const owesFeeAgain = ({ status, registrationFee }: Pick<RegistrationFacts, 'status' | 'registrationFee'>) =>
  statusOrder.indexOf(status) >= statusOrder.indexOf('paid') &&
  registrationFee !== null &&
  isOwed(registrationFee.status)

const paidOf = (bill: BillFacts | null) => bill?.paid ?? 0

/** First step the reader can take; otherwise the first that waits, then the first that is blocked. */
export const nextStep = (todo: readonly Todo[]): Todo | null =>
  todo.find(({ state }) => state === 'todo') ??
  todo.find(({ state }) => state === 'waiting') ??
  todo.find(({ state }) => state === 'blocked') ??
  null
