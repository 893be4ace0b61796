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

/** Steps on the applicant's dashboard, each with actor, deadline and blocking rule. */
export function whatToDo(facts: RegistrationFacts, now: Date): Todo[] {
  if (!statusOrder.includes(facts.status)) return []
  const todo = [
    ...testOfferTodo(facts),
    dataTodo(facts),
    programmeTodo(facts),
    ...(facts.asksDonation ? [donationTodo(facts)] : []),
    submitTodo(facts, now),
    paymentTodo(facts),
    ...filesTodo(facts),
    ...testTodo(facts),
    ...attendTestTodo(facts, now),
    resultTodo(facts),
  ]
  if (facts.result === 'not_accepted') return todo
  return [
    ...todo,
    confirmationTodo(facts, now),
    reRegistrationTodo(facts),
    ...enrolmentFilesTodo(facts),
    ...enrolmentDataTodo(facts),
    studentNumberTodo(facts),
  ]
}

const hasReached = (facts: Pick<RegistrationFacts, 'status'>, status: RegistrationStatus) =>
  statusOrder.indexOf(facts.status) >= statusOrder.indexOf(status)
const isDraft = (facts: RegistrationFacts) => facts.status === 'draft'
const screenOf = (facts: RegistrationFacts) => `/pendaftaran/${facts.id}`
/** Drafts must be submitted before the window closes. */
const draftDueAt = (facts: RegistrationFacts) => (isDraft(facts) ? facts.window.closesAt : null)

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

function dataTodo(facts: RegistrationFacts): Todo {
  const missing = facts.missingProfileFields.length
  const path = pathToMissing(facts.missingProfileFields, isDraft(facts) ? facts.id : undefined)
  return isDraft(facts) && missing > 0
    ? item('data', 'todo', { path, dueAt: draftDueAt(facts), params: { count: missing } })
    : item('data', 'done', { path })
}

const programmeTodo = (facts: RegistrationFacts) =>
  item('programme', isDraft(facts) && choiceProblems(facts).length > 0 ? 'todo' : 'done', {
    path: `${screenOf(facts)}/program`,
    dueAt: draftDueAt(facts),
    params: { count: facts.choices.length, maximum: facts.maxChoices },
  })

const donationTodo = (facts: RegistrationFacts) =>
  item('donation', isDraft(facts) && donationProblem(facts) ? 'todo' : 'done', {
    path: `${screenOf(facts)}/program`,
    dueAt: draftDueAt(facts),
    params: { amount: facts.donationAmount ?? 0, minimum: facts.donation?.minimumAmount ?? 0 },
  })

function submitTodo(facts: RegistrationFacts, now: Date): Todo {
  if (!isDraft(facts)) return item('submit', 'done')
  const state = windowState(facts.window, now)
  const rest = {
    path: screenOf(facts),
    dueAt: state === 'upcoming' ? facts.window.opensAt : facts.window.closesAt,
  }
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

function paymentTodo(facts: RegistrationFacts): Todo {
  if (isDraft(facts)) return item('payment', 'blocked', { blockedBy: 'not_submitted' })
  if (hasReached(facts, 'paid') && !owesFeeAgain(facts))
    return item('payment', 'done', {
      path: `${screenOf(facts)}/pembayaran`,
      params: { amount: paidOf(facts.registrationFee) },
    })
  return payBillTodo('payment', facts, facts.registrationFee)
}

/** Next payment on a bill; waits for the bank once the bill is settled. */
function payBillTodo(key: TodoKey, facts: RegistrationFacts, billFacts: BillFacts | null): Todo {
  const path = `${screenOf(facts)}/pembayaran`
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

/** Name and reason of the document that was rejected first; the reason is a code or a text (see `reasonSentence`). */
const rejectedParams = ({ firstRejected }: RegistrationFacts['documents']): Todo['params'] =>
  firstRejected ? { document: firstRejected.name ?? '', reason: firstRejected.reason ?? '' } : {}

function filesTodo(facts: RegistrationFacts): Todo[] {
  const { missing: missingFiles, rejected, dueOn, required } = facts.documents
  const rest = {
    path: `${screenOf(facts)}/file`,
    dueAt: dueOn ? universityCalendar().endOfDay(dueOn) : null,
    params: { missing: missingFiles, rejected, ...rejectedParams(facts.documents) },
  }
  if (missingFiles + rejected > 0) return [item('files', 'todo', rest)]
  if (facts.documentsState === 'to_review') return [item('files', 'waiting', { ...rest, actor: 'staff' })]
  return required > 0 ? [item('files', 'done', rest)] : []
}

function enrolmentFilesTodo(facts: RegistrationFacts): Todo[] {
  const { missing, rejected, toReview, dueOn, required } = facts.enrolmentDocuments
  const rest = {
    path: `${screenOf(facts)}/file`,
    dueAt: dueOn ? universityCalendar().endOfDay(dueOn) : null,
    params: { missing, rejected, ...rejectedParams(facts.enrolmentDocuments) },
  }
  if (missing + rejected > 0) return [item('enrolmentFiles', 'todo', rest)]
  if (toReview > 0) return [item('enrolmentFiles', 'waiting', { ...rest, actor: 'staff' })]
  return required > 0 ? [item('enrolmentFiles', 'done', rest)] : []
}

function enrolmentDataTodo(facts: RegistrationFacts): Todo[] {
  if (!hasReached(facts, 'confirmed')) return []
  return [
    item('enrolmentData', facts.hasEnrolmentData ? 'done' : 'todo', { path: `${screenOf(facts)}/data-mahasiswa` }),
  ]
}

function testTodo(facts: RegistrationFacts): Todo[] {
  if (!facts.hasTest) return []
  if (facts.seat)
    return [item('test', facts.seat.status === 'held' && !isDraft(facts) ? 'todo' : 'done', { path: screenOf(facts) })]
  if (isDraft(facts)) return [item('test', 'blocked', { blockedBy: 'not_submitted' })]
  if (hasReached(facts, 'decided')) return []
  if (facts.testSessions === 0)
    return [item('test', 'waiting', { actor: 'staff', blockedBy: 'no_test_session', path: screenOf(facts) })]
  return [item('test', 'todo', { path: screenOf(facts) })]
}

/** The test of a booked seat, until it is over. */
function attendTestTodo({ id, seat, result }: RegistrationFacts, now: Date): Todo[] {
  if (!seat || result !== 'waiting') return []
  if (seat.status === 'attended') return [item('attendTest', 'done')]
  const { momentOf } = universityCalendar()
  if (seat.status !== 'booked' || now >= momentOf(`${seat.date} ${seat.endTime}`)) return []
  const dueAt = momentOf(`${seat.date} ${seat.startTime}`)
  return [item('attendTest', 'waiting', { dueAt, path: `/pendaftaran/${id}#test`, params: { mode: seat.mode } })]
}

/** Offered waiting-list seat; without an answer it goes to the next applicant. */
const testOfferTodo = (facts: RegistrationFacts): Todo[] =>
  facts.seatOfferedUntil
    ? [item('testOffer', 'todo', { path: `${screenOf(facts)}#test`, dueAt: facts.seatOfferedUntil })]
    : []

function resultTodo(facts: RegistrationFacts): Todo {
  if (facts.result !== 'waiting') return item('result', 'done', { path: screenOf(facts) })
  const dueAt = facts.publishAt ?? facts.window.resultsAt
  const blockedBy = isDraft(facts)
    ? 'not_submitted'
    : !hasReached(facts, 'paid') || owesFeeAgain(facts)
      ? 'fee_unpaid'
      : !hasReached(facts, 'verified')
        ? 'documents_not_verified'
        : null
  return blockedBy
    ? item('result', 'blocked', { blockedBy, dueAt, actor: 'staff' })
    : item('result', 'waiting', { actor: 'staff', dueAt, path: screenOf(facts) })
}

function confirmationTodo(facts: RegistrationFacts, now: Date): Todo {
  const dueAt = facts.window.confirmationDueAt
  if (hasReached(facts, 'confirmed')) return item('confirmation', 'done', { path: '/konfirmasi-kelulusan' })
  if (facts.result === 'waiting') return item('confirmation', 'blocked', { blockedBy: 'result_waiting', dueAt })
  if (dueAt && now >= dueAt)
    return item('confirmation', 'blocked', { blockedBy: 'confirmation_closed', actor: 'staff', dueAt })
  return item('confirmation', 'todo', { path: '/konfirmasi-kelulusan', dueAt })
}

function reRegistrationTodo(facts: RegistrationFacts): Todo {
  if (!hasReached(facts, 'confirmed')) return item('reRegistration', 'blocked', { blockedBy: 'not_confirmed' })
  const { reRegistration: reRegistrationBill } = facts
  if (reRegistrationBill && isSettled(reRegistrationBill.status))
    return item('reRegistration', 'done', {
      path: `${screenOf(facts)}/pembayaran`,
      params: { amount: paidOf(reRegistrationBill) },
    })
  return payBillTodo('reRegistration', facts, reRegistrationBill)
}

function studentNumberTodo(facts: RegistrationFacts): Todo {
  if (facts.studentNumber)
    return item('studentNumber', 'done', { path: screenOf(facts), params: { number: facts.studentNumber } })
  if (!hasReached(facts, 'confirmed')) return item('studentNumber', 'blocked', { blockedBy: 'not_confirmed' })
  const { untilNumber } = facts
  if (untilNumber === 0) return item('studentNumber', 'waiting', { actor: 'staff', path: screenOf(facts) })
  return untilNumber === null
    ? item('studentNumber', 'blocked', { blockedBy: 'not_unlocked' })
    : item('studentNumber', 'blocked', { blockedBy: 'number_unpaid', params: { amount: untilNumber } })
}

/** Whether the fee is due again after payment: the payment was reversed, or the fee rose. */
export const owesFeeAgain = ({ status, registrationFee }: Pick<RegistrationFacts, 'status' | 'registrationFee'>) =>
  hasReached({ status }, 'paid') && registrationFee !== null && isOwed(registrationFee.status)

const paidOf = (bill: BillFacts | null) => bill?.paid ?? 0

const isOffer = ({ key, state }: Pick<Todo, 'key' | 'state'>) =>
  state === 'todo' && (key === 'testOffer' || key === 'confirmation')

/**
 * First step the reader can take, offers before others; otherwise the test ahead, then the first step that waits, then
 * the first that is blocked.
 */
export const nextStep = <T extends Pick<Todo, 'key' | 'state'>>(todo: readonly T[]): T | null =>
  todo.find(isOffer) ??
  todo.find(({ state }) => state === 'todo') ??
  todo.find(({ key, state }) => key === 'attendTest' && state === 'waiting') ??
  todo.find(({ state }) => state === 'waiting') ??
  todo.find(({ state }) => state === 'blocked') ??
  null
