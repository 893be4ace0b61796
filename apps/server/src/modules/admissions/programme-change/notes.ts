import { donationRuleFor } from '#domain/fees/donation-rule.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { totalScore } from '#server/modules/admissions/results/total-score.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'
import type { ComparedMoney } from './compare-money.ts'
import type { ChangeTarget, ChangingBill, ChangingRegistration, Place } from './facts.ts'

type ChangeFacts = {
  registration: ChangingRegistration
  from: Place | undefined
  to: Place
  target: ChangeTarget
  money: ComparedMoney
  bills: readonly ChangingBill[]
  language: Language
}

/** Notes on a change: effects besides the amount, and what stays as it is. */
export async function notesOf(db: Db, facts: ChangeFacts) {
  const { registration, from, to, target, money, bills, language } = facts
  const t = sentences(language)
  const notes: { code: string; warning: boolean; message: string }[] = []
  const addNote = (code: string, params: Record<string, unknown> = {}, warning = false) =>
    notes.push({ code, warning, message: t(`programme-change:notes.${code}`, params) })
  const { id } = registration

  if (money.ends) addNote('guarantee_ends', { number: money.before.number }, true)
  if (money.promise && money.bill === 'anew') addNote('promise_stays', { date: longDate(money.promise, language) })
  for (const line of money.lines)
    if (line.kind === 'discount' && line.after === 0)
      addNote('discount_lost', { name: line.description, amount: rupiah(-line.before) }, true)
  if (money.waiting > 0) addNote('too_much', { amount: rupiah(money.waiting) }, true)
  if (money.bill === 'anew') {
    const { numbers } = await db
      .selectFrom('virtualAccounts')
      .select((eb) => eb.fn.countAll<number>().as('numbers'))
      .where(
        'billId',
        'in',
        bills.filter(({ kind }) => kind === 're_registration').map((bill) => bill.id),
      )
      .where('status', 'in', ['active', 'pending'])
      .executeTakeFirstOrThrow()
    if (Number(numbers) > 0) addNote('numbers_end', { count: Number(numbers) })
    if (money.after.total > 0 && money.moved >= money.after.total) addNote('settles')
  }
  const queued = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.sum<number>('waitingAmount').as('amount'))
    .where('waitingAmount', '>', 0)
    .where('billId', 'in', (eb) => eb.selectFrom('bills').select('id').where('registrationId', '=', id))
    .executeTakeFirstOrThrow()
  if (Number(queued.amount) > 0) addNote('waits_already', { amount: rupiah(Number(queued.amount)) })

  await noteChoices(db, facts, addNote)

  const seat = await db
    .selectFrom('testSeats as s')
    .innerJoin('testSessions as e', 'e.id', 's.testSessionId')
    .select(['e.name', 'e.date', 's.status'])
    .where('s.registrationId', '=', id)
    .where('s.status', '<>', 'released')
    .executeTakeFirst()
  if (seat) addNote('seat_stays', { name: seat.name, date: longDate(seat.date, language) })
  const scores = await db
    .selectFrom('testScores as s')
    .innerJoin('tests as e', 'e.id', 's.testId')
    .select(['s.score', 'e.maxScore', 'e.weight'])
    .where('s.registrationId', '=', id)
    .execute()
  const score = totalScore(scores)
  if (to.passingGrade !== null && (score !== null || from?.passingGrade !== to.passingGrade))
    addNote(
      score === null ? 'passing_grade' : score < to.passingGrade ? 'score_below' : 'score_reaches',
      { grade: to.passingGrade, score },
      score !== null && score < to.passingGrade,
    )
  addNote('documents_stay')

  const minimum = await donationMinimum(db, registration, target)
  if (minimum !== null && registration.donationAmount !== null && registration.donationAmount < minimum)
    addNote('donation_below', { minimum: rupiah(minimum), amount: rupiah(registration.donationAmount) }, true)
  if (bills.some((bill) => bill.kind === 'registration_fee' && isOwed(bill.status))) addNote('fee_open')
  return notes
}

async function noteChoices(
  db: Db,
  { registration, to, target }: ChangeFacts,
  addNote: (code: string, params?: Record<string, unknown>) => void,
) {
  if (registration.programmeId === target.programmeId) return
  const choices = await choicesOf(db, registration.id)
  const currentChoice = choices.find(({ programmeId }) => programmeId === registration.programmeId)
  const targetChoice = choices.find(({ programmeId }) => programmeId === target.programmeId)
  if (!currentChoice) addNote('choices_stay')
  else if (targetChoice) addNote('choices_swap', { to: to.programme, position: currentChoice.position })
  else addNote('choices_replace', { from: registration.programme, to: to.programme, position: currentChoice.position })
}

export const choicesOf = (db: Db, registrationId: string) =>
  db
    .selectFrom('registrationChoices')
    .select(['position', 'programmeId'])
    .where('registrationId', '=', registrationId)
    .orderBy('position')
    .execute()

/** Minimum donation for the new programme; null if no rule applies. */
async function donationMinimum(db: Db, { waveId, trackId }: ChangingRegistration, { programmeId }: ChangeTarget) {
  const rules = await db
    .selectFrom('donations as d')
    .innerJoin('tracks as t', (join) => join.on('t.id', '=', trackId).on('t.asksDonation', '=', true))
    .select(['d.programmeId', 'd.trackId', 'd.minimumAmount'])
    .where('d.active', '=', true)
    .where('d.waveId', '=', waveId)
    .execute()
  return donationRuleFor(rules, { programmeId, trackId })?.minimumAmount ?? null
}
