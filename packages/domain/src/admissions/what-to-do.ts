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

const order: RegistrationStatus[] = ['draft', 'submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled']

/** What an applicant is led through: each step with who acts, until when, and what stands in the way. */
export function whatToDo(facts: RegistrationFacts, now: Date): Todo[] {
  const reached = order.indexOf(facts.status)
  if (reached < 0) return []
  const at = (status: RegistrationStatus) => reached >= order.indexOf(status)
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
  const draft = facts.status === 'draft'
  const feeOwed = owesFeeAgain(facts)
  const closesAt = draft ? facts.window.closesAt : null

  const missing = facts.missingProfileFields.length
  const pathToData = pathToMissing(facts.missingProfileFields, draft ? facts.id : undefined)
  const data =
    draft && missing > 0
      ? item('data', 'todo', { path: pathToData, dueAt: closesAt, params: { count: missing } })
      : item('data', 'done', { path: pathToData })

  const programme = item('programme', draft && choiceProblems(facts).length > 0 ? 'todo' : 'done', {
    path: `${screen}/program`,
    dueAt: closesAt,
    params: { count: facts.choices.length, maximum: facts.maxChoices },
  })
  const donation = item('donation', draft && donationProblem(facts) ? 'todo' : 'done', {
    path: `${screen}/program`,
    dueAt: closesAt,
    params: { amount: facts.donationAmount ?? 0, minimum: facts.donation?.minimumAmount ?? 0 },
  })

  const todo = [data, programme, ...(facts.asksDonation ? [donation] : []), submit(), payment(), ...files(), ...test()]
  todo.push(result())
  if (facts.result !== 'not_accepted') todo.push(confirmation(), reRegistration(), studentNumber())
  return todo

  function submit(): Todo {
    if (!draft) return item('submit', 'done')
    const state = windowState(facts.window, now)
    const rest = { path: screen, dueAt: state === 'upcoming' ? facts.window.opensAt : closesAt }
    if (state === 'closed') return item('submit', 'blocked', { ...rest, blockedBy: 'window_closed', actor: 'staff' })
    if (state === 'upcoming') return item('submit', 'blocked', { ...rest, blockedBy: 'window_not_open' })
    const [first] = missingForSubmission(facts, now)
    if (!first) return item('submit', 'todo', rest)
    return item('submit', 'blocked', {
      ...rest,
      blockedBy: first.field.startsWith('profile.') ? 'profile_incomplete' : first.code,
      ...(first.params && { params: first.params }),
    })
  }

  function payment(): Todo {
    if (draft) return item('payment', 'blocked', { blockedBy: 'not_submitted' })
    if (at('paid') && !feeOwed)
      return item('payment', 'done', {
        path: `${screen}/pembayaran`,
        params: { amount: paidOf(facts.registrationFee) },
      })
    return bill('payment', facts.registrationFee)
  }

  function bill(key: TodoKey, facts_: BillFacts | null): Todo {
    const path = `${screen}/pembayaran`
    if (!facts_ || isSettled(facts_.status))
      return item(key, facts_ ? 'waiting' : 'blocked', { actor: 'bank', path, blockedBy: facts_ ? null : 'no_bill' })
    return item(key, 'todo', {
      path,
      dueAt: facts_.next?.dueAt ?? null,
      params: {
        amount: facts_.next?.amount ?? facts_.total - facts_.paid,
        ...(facts_.takenBack && { takenBack: facts_.takenBack.amount, reason: facts_.takenBack.reason }),
      },
    })
  }

  function files(): Todo[] {
    const { missing: empty, rejected, dueOn, required } = facts.documents
    const rest = {
      path: `${screen}/file`,
      dueAt: dueOn ? universityCalendar().endOfDay(dueOn) : null,
      params: { missing: empty, rejected },
    }
    if (empty + rejected > 0) return [item('files', 'todo', rest)]
    if (facts.documentsState === 'to_review') return [item('files', 'waiting', { ...rest, actor: 'staff' })]
    return required > 0 ? [item('files', 'done', rest)] : []
  }

  function test(): Todo[] {
    if (!facts.hasTest) return []
    if (facts.seat) return [item('test', facts.seat.status === 'held' && !draft ? 'todo' : 'done', { path: screen })]
    if (draft) return [item('test', 'blocked', { blockedBy: 'not_submitted' })]
    if (at('decided')) return []
    if (facts.testSessions === 0)
      return [item('test', 'waiting', { actor: 'staff', blockedBy: 'no_test_session', path: screen })]
    return [item('test', 'todo', { path: screen })]
  }

  function result(): Todo {
    if (facts.result !== 'waiting') return item('result', 'done', { path: screen })
    const dueAt = facts.publishAt ?? facts.window.resultsAt
    const blockedBy = draft
      ? 'not_submitted'
      : !at('paid') || feeOwed
        ? 'fee_unpaid'
        : !at('verified')
          ? 'documents_not_verified'
          : null
    return blockedBy
      ? item('result', 'blocked', { blockedBy, dueAt, actor: 'staff' })
      : item('result', 'waiting', { actor: 'staff', dueAt, path: screen })
  }

  function confirmation(): Todo {
    const dueAt = facts.window.confirmationDueAt
    if (at('confirmed')) return item('confirmation', 'done', { path: '/konfirmasi-kelulusan' })
    if (facts.result === 'waiting') return item('confirmation', 'blocked', { blockedBy: 'result_waiting', dueAt })
    if (dueAt && now >= dueAt)
      return item('confirmation', 'blocked', { blockedBy: 'confirmation_closed', actor: 'staff', dueAt })
    return item('confirmation', 'todo', { path: '/konfirmasi-kelulusan', dueAt })
  }

  function reRegistration(): Todo {
    if (!at('confirmed')) return item('reRegistration', 'blocked', { blockedBy: 'not_confirmed' })
    const { reRegistration: owed } = facts
    if (owed && isSettled(owed.status))
      return item('reRegistration', 'done', { path: `${screen}/pembayaran`, params: { amount: paidOf(owed) } })
    return bill('reRegistration', owed)
  }

  function studentNumber(): Todo {
    if (facts.studentNumber)
      return item('studentNumber', 'done', { path: screen, params: { number: facts.studentNumber } })
    if (!at('confirmed')) return item('studentNumber', 'blocked', { blockedBy: 'not_confirmed' })
    const { untilNumber } = facts
    if (untilNumber === 0) return item('studentNumber', 'waiting', { actor: 'staff', path: screen })
    return untilNumber === null
      ? item('studentNumber', 'blocked', { blockedBy: 'not_unlocked' })
      : item('studentNumber', 'blocked', { blockedBy: 'number_unpaid', params: { amount: untilNumber } })
  }
}

/** The registration is past its payment, and its fee is owed all the same: the payment was taken back, or the fee rose. */
export const owesFeeAgain = ({ status, registrationFee }: Pick<RegistrationFacts, 'status' | 'registrationFee'>) =>
  order.indexOf(status) >= order.indexOf('paid') && registrationFee !== null && isOwed(registrationFee.status)

const paidOf = (bill: BillFacts | null) => bill?.paid ?? 0

/** What to look at first: what the reader can do now, and failing that what is waited for. */
export const nextStep = (todo: readonly Todo[]): Todo | null =>
  todo.find(({ state }) => state === 'todo') ??
  todo.find(({ state }) => state === 'waiting') ??
  todo.find(({ state }) => state === 'blocked') ??
  null
