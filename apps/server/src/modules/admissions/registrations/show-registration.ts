import { type Asker, allowedActions } from '#domain/admissions/allowed-actions.ts'
import type { RegistrationFacts } from '#domain/admissions/facts.ts'
import { stagesOf } from '#domain/admissions/stages.ts'
import { windowState } from '#domain/admissions/submission.ts'
import type { TodoKey } from '#domain/admissions/todo.ts'
import { nextStep, owesFeeAgain, type Todo, whatToDo } from '#domain/admissions/what-to-do.ts'
import type { BillBrief } from '#server/modules/payments/bills/bill-summary.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { imageUrl } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { decisionFor, getRegistration, type LoadedRegistration, publicDecisionOf } from './load-registrations.ts'

export const askerOf = (actor: Actor): Asker => ({
  applicant: isApplicant(actor),
  may: (permission) => actor.permissions.has(permission),
})

const toBillBrief = (bill: BillBrief | null) =>
  bill && {
    id: bill.id,
    number: bill.number,
    status: bill.status,
    total: bill.total,
    paid: bill.paid,
    dueAt: bill.dueAt,
    next: bill.next && { installmentId: bill.next.installmentId, amount: bill.next.amount, dueAt: bill.next.dueAt },
  }

const enrolmentSteps: readonly string[] = ['reRegistration', 'enrolmentFiles', 'enrolmentData'] satisfies TodoKey[]

const stagesFor = ({ row, status, facts }: LoadedRegistration, todo: readonly Todo[]) =>
  stagesOf({
    status,
    closedFrom: null,
    result: facts.result,
    feeOwed: owesFeeAgain(facts),
    enrolmentOpen:
      status === 'enrolled' && todo.some(({ key, state }) => state === 'todo' && enrolmentSteps.includes(key)),
    submittedAt: row.submittedAt,
    paidAt: row.paidAt,
    verifiedAt: row.verifiedAt,
    decidedAt: publicDecisionOf(row)?.decidedAt ?? null,
    confirmedAt: row.confirmedAt,
    enrolledAt: row.enrolledAt,
  })

export async function showRegistration(services: Services, actor: Actor, id: string, db: Db = services.db) {
  const now = services.clock.now()
  const loaded = await getRegistration(db, actor, id, now)
  const { row, facts, bills, status } = loaded
  const decision = decisionFor(actor, row)
  const todo = whatToDo(facts, now)
  const result = publicDecisionOf(row)
  return {
    id: row.id,
    code: row.code,
    status,
    version: row.version,
    applicant: {
      id: row.applicantId,
      accountId: row.accountId,
      name: row.name,
      email: row.email,
      phone: row.phone,
      schoolName: row.schoolName,
      photoUrl: row.photoFileId ? imageUrl(services, actor, 'photo', row.photoFileId, { thumbnail: true }) : null,
    },
    wave: row.wave,
    track: row.track,
    entryLevel: row.entryLevel,
    classProgramme: row.classProgramme,
    choices: row.choices,
    donationAmount: row.donationAmount,
    donation: facts.donation,
    referralCode: row.referralCode,
    result: facts.result,
    resultSeen: row.resultSeen === true,
    acceptedProgramme: result?.programme ?? null,
    resultReason: result?.decision === 'not_accepted' ? result.reason : null,
    decision,
    documentsState: row.documentsState,
    window: { state: windowState(facts.window, now), ...facts.window },
    createdAt: row.createdAt,
    submittedAt: row.submittedAt,
    paidAt: row.paidAt,
    verifiedAt: row.verifiedAt,
    decidedAt: (decision ?? result)?.decidedAt ?? null,
    confirmedAt: row.confirmedAt,
    enrolledAt: row.enrolledAt,
    closedAt: row.closedAt,
    closedReason: row.closedReason,
    feeOwed: owesFeeAgain(facts),
    stages: stagesFor(loaded, todo),
    todo,
    actions: allowedActions(facts, askerOf(actor), now),
    bills: {
      registrationFee: toBillBrief(bills.registrationFee),
      reRegistration: toBillBrief(bills.reRegistration),
    },
    seat: row.seat,
    installmentPlanId: row.installmentPlanId,
    studentNumber: row.studentNumber,
    cardReady: loaded.cardReady,
    untilCard: loaded.untilCard,
  }
}

/** A registration as a card on the applicant's dashboard. */
export function showOnDashboard(loaded: LoadedRegistration, now: Date) {
  const { row, facts, status } = loaded
  const todo = whatToDo(facts, now)
  return {
    id: row.id,
    code: row.code,
    status,
    result: facts.result,
    wave: row.wave.name,
    track: row.track.name,
    programme: programmeOf(row, facts),
    feeOwed: owesFeeAgain(facts),
    stages: stagesFor(loaded, todo),
    todo,
    nextStep: nextStep(todo),
    seat: row.seat,
    studentNumber: row.studentNumber,
    cardReady: loaded.cardReady,
    createdAt: row.createdAt,
  }
}

/** Name of the first choice until the result is published; `row.programme` would already be the accepted one. */
const programmeOf = (row: LoadedRegistration['row'], facts: RegistrationFacts) =>
  (facts.result === 'accepted' ? row.acceptedProgramme?.name : row.choices[0]?.name) ?? null
