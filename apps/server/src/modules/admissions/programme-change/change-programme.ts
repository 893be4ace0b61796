import type { Language } from '#entities/define/language.ts'
import { rupiah } from '#locales/format.ts'
import { lockPlaces } from '#server/modules/admissions/places.ts'
import { vacatePlace } from '#server/modules/admissions/reserve/reserve-places.ts'
import { moveStep, recordSteps } from '#server/modules/admissions/steps/registration-steps.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { billLinesOf } from '#server/modules/payments/bills/change/issue-bill.ts'
import { reissueBill } from '#server/modules/payments/bills/change/reissue-bill.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { accountsHolding } from '#server/platform/access/reach.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { atLeastAWeek } from './compare-money.ts'
import { billsOf, type ChangeTarget, type ChangingRegistration, type Place, readRegistration } from './facts.ts'
import { choicesOf } from './notes.ts'
import { feeIsAnew, requirePossible, type WeighedChange, weighChange } from './preview-change.ts'

type ChangeRequest = ChangeTarget & { reason: string; seen: string }

/**
 * Moves a registration to another study programme or class as previewed: programme, choices, place, bills and message
 * in one transaction. Locks the registration, then the places, then the bills, as every transaction does. Recomputes
 * the preview under the locks: 409 `change_stale` if a fact differs, `change_not_now` if the registration has a
 * decision hidden from the actor.
 */
export const changeProgramme = (
  services: Services,
  actor: Actor,
  id: string,
  { reason, seen, ...target }: ChangeRequest,
) =>
  inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    const registration = await readRegistration(tx, actor, id, now, { lock: true })
    await lockPlaces(tx, { ...registration, ...target })
    const bills = await billsOf(tx, id, { lock: true })
    const weighed = await weighChange(tx, actor, now, { registration, bills, target })
    if (weighed.seen !== seen) throw conflict('change_stale')
    const to = requirePossible(weighed)
    await refuseOwnPrice(tx, actor, registration, target)
    // Checked last: a change that is refused anyway must not reveal a decision.
    if (registration.hidden) throw conflict('change_not_now')

    await moveChoices(tx, registration, target)
    await tx
      .updateTable('registrations')
      .set((eb) => ({
        programmeId: target.programmeId,
        classProgrammeId: target.classProgrammeId,
        ...(registration.decision === 'accepted' && { acceptedProgrammeId: target.programmeId }),
        version: eb('version', '+', 1),
        updatedAt: now,
      }))
      .where('id', '=', id)
      .execute()
    await vacatePlace(context, {
      ...registration,
      before: registration.status,
      acceptedBefore: registration.decision === 'accepted' ? registration.programmeId : null,
    })
    await recordSteps(tx, actor, id, [moveStep(registration.programmeId, registration.classProgrammeId, now)])
    await grantRequest(context, id, target)
    const change = { registration, target, to, weighed, reason }
    const newBill = await renewBills(context, change)
    await recordChange(context, change, newBill?.id ?? weighed.bill?.id ?? null)
    await notifyApplicant(context, change, newBill?.number ?? null)
    return { id, billNumber: newBill?.number ?? weighed.bill?.number ?? null, waiting: weighed.money.waiting }
  })

type ProgrammeChange = {
  registration: ChangingRegistration
  target: ChangeTarget
  to: Place
  weighed: WeighedChange
  reason: string
}

/** Grants the applicant's request if it is for this programme and class. */
const grantRequest = ({ tx, actor, now }: Context, registrationId: string, target: ChangeTarget) =>
  tx
    .updateTable('programmeRequests')
    .set({ status: 'granted', decidedAt: now, decidedBy: actor.accountId })
    .where('registrationId', '=', registrationId)
    .where('programmeId', '=', target.programmeId)
    .where('classProgrammeId', '=', target.classProgrammeId)
    .where('status', '=', 'pending')
    .execute()

/**
 * Throws 409 if the actor last set a price of the programme: the person who sets a price must not choose who pays it.
 */
async function refuseOwnPrice(tx: Tx, actor: Actor, { waveId, trackId }: ChangingRegistration, target: ChangeTarget) {
  const ownPrice = await tx
    .selectFrom('tuitionFees')
    .select('id')
    .where('programmeId', '=', target.programmeId)
    .where('classProgrammeId', '=', target.classProgrammeId)
    .where('waveId', '=', waveId)
    .where((eb) => eb.or([eb('trackId', 'is', null), eb('trackId', '=', trackId)]))
    .where((eb) => eb.fn.coalesce('updatedBy', 'createdBy'), '=', actor.accountId)
    .limit(1)
    .executeTakeFirst()
  if (!ownPrice) return
  const otherHolders = await accountsHolding(tx, 'pindah-prodi-update')
    .select('a.name')
    .where('a.id', '<>', actor.accountId)
    .orderBy('a.name')
    .limit(5)
    .execute()
  throw conflict('price_set_by_you', { names: otherHolders.map(({ name }) => name).join(', ') || '–' })
}

/** Puts the new programme at the old programme's position among the choices. If it was already chosen, the two swap. */
async function moveChoices(tx: Tx, { id, programmeId }: ChangingRegistration, target: ChangeTarget) {
  const choices = await choicesOf(tx, id)
  const currentChoice = choices.find((choice) => choice.programmeId === programmeId)
  if (!currentChoice || programmeId === target.programmeId) return
  const targetChoice = choices.find((choice) => choice.programmeId === target.programmeId)
  const positions = [currentChoice.position, ...(targetChoice ? [targetChoice.position] : [])]
  await tx
    .deleteFrom('registrationChoices')
    .where('registrationId', '=', id)
    .where('position', 'in', positions)
    .execute()
  await tx
    .insertInto('registrationChoices')
    .values([
      { registrationId: id, position: currentChoice.position, programmeId: target.programmeId },
      ...(targetChoice
        ? [{ registrationId: id, position: targetChoice.position, programmeId: currentChoice.programmeId }]
        : []),
    ])
    .execute()
}

/**
 * Reissues the registration fee, then the re-registration bill, if they change; returns the new re-registration bill,
 * null if it stays.
 */
async function renewBills(context: Context, { registration, weighed, reason }: ProgrammeChange) {
  const { tx, services } = context
  const now = services.clock.now()
  const { bill, feeBill, money, fee } = weighed
  if (feeBill && feeIsAnew(weighed)) {
    const t = sentences(await languageOf(tx, registration.accountId))
    const reductions = (await billLinesOf(tx, feeBill.id)).filter(({ amount }) => amount < 0)
    const priced = fee.after > 0 ? [{ description: t('bills:kind.registration_fee'), amount: fee.after }] : []
    await reissueBill(context, feeBill.id, {
      lines: [...priced, ...reductions],
      dueAt: atLeastAWeek(now, feeBill),
      reason,
    })
  }
  if (!bill || money.bill !== 'anew') return null
  const newBill = await reissueBill(context, bill.id, {
    lines: money.priced,
    dueAt: money.dueAt,
    installmentPlanId: bill.installmentPlanId,
    planFrom: bill.issuedAt,
    dates: money.dates,
    reason,
  })
  // Another bill may have taken a discount's last use meanwhile, so that the new bill differs from the preview.
  if (newBill.total !== money.after.total || newBill.paid !== money.moved) throw conflict('change_stale')
  return newBill
}

const languageOf = async (tx: Tx, accountId: string): Promise<Language> =>
  (await tx.selectFrom('accounts').select('language').where('id', '=', accountId).executeTakeFirstOrThrow()).language

async function recordChange(
  { tx, actor, now }: Context,
  { registration, target, to, weighed: { money, bill }, reason }: ProgrammeChange,
  toBillId: string | null,
) {
  const { id, status } = registration
  await tx
    .insertInto('programmeChanges')
    .values({
      registrationId: id,
      fromProgrammeId: registration.programmeId!,
      toProgrammeId: target.programmeId,
      fromClassProgrammeId: registration.classProgrammeId,
      toClassProgrammeId: target.classProgrammeId,
      status,
      fromBillId: bill?.id ?? null,
      toBillId,
      totalBefore: money.before.total,
      totalAfter: money.after.total,
      moved: money.moved,
      waiting: money.waiting,
      reason,
      changedBy: actor.accountId,
      changedAt: now,
    })
    .execute()
  await recordAudit(tx, actor, {
    action: 'registration.change-programme',
    on: { registration: id },
    before: {
      programme: registration.programme,
      classProgramme: registration.classProgramme,
      total: money.before.total,
      paid: money.before.paid,
    },
    after: {
      programme: to.programme,
      classProgramme: to.classProgramme,
      total: money.after.total,
      paid: money.moved,
      waiting: money.waiting,
    },
    reason,
  })
}

/** Notifies the applicant about the new programme and the effect on the bill. */
async function notifyApplicant(
  context: Omit<Context, 'actor'>,
  { registration, to, weighed: { money }, reason }: ProgrammeChange,
  number: string | null,
) {
  const sameProgramme = to.programme === registration.programme
  await notify(context, {
    accountId: registration.accountId,
    event: !number ? 'programme-changed' : money.waiting > 0 ? 'programme-changed-overpaid' : 'programme-changed-bill',
    params: {
      code: registration.code,
      programme: sameProgramme ? `${to.programme} (${to.classProgramme})` : to.programme,
      reason,
      number,
      amount: rupiah(money.after.total),
      remaining: rupiah(money.after.total - money.moved),
      waiting: rupiah(money.waiting),
    },
    link: number ? `/pendaftaran/${registration.id}/pembayaran` : `/pendaftaran/${registration.id}`,
  })
}
