import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { type BillKind, isOwed } from '#domain/payments/bills/bill-status.ts'
import type { VouchersOfRegistration } from '#domain/payments/bills/vouchers/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { type Bill, billLinesOf } from '#server/modules/payments/bills/change/issue-bill.ts'
import { lockForReissue } from '#server/modules/payments/bills/change/lock-subject.ts'
import { reissueBill } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { getBilledRegistration } from '#server/modules/payments/bills/visible-bills.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { count, releaseUse } from './discounts.ts'

const kindOf = (appliesTo: 'registration_fee' | 'fee_component'): BillKind =>
  appliesTo === 'registration_fee' ? 'registration_fee' : 're_registration'

const closedStatuses = ['withdrawn', 'cancelled', 'expired', 'enrolled'] as const
const isClosed = (status: string) => closedStatuses.some((one) => one === status)

/** Vouchers entered for a registration, with the bills they reduce. */
export async function readVouchers(
  db: Db,
  actor: Actor,
  registrationId: string,
  language: Language,
): Promise<VouchersOfRegistration> {
  const { id, code, applicantName, status } = await getBilledRegistration(db, actor, registrationId)
  const uses = await db
    .selectFrom('discountUses as u')
    .innerJoin('vouchers as v', 'v.id', 'u.voucherId')
    .innerJoin('discounts as d', 'd.id', 'u.discountId')
    .leftJoin('bills as b', 'b.id', 'u.billId')
    .select(['u.id', 'v.code', 'd.name as discount', 'd.kind', 'd.value', 'd.appliesTo', 'u.amount', 'b.paid'])
    .where('u.registrationId', '=', id)
    .where('u.releasedAt', 'is', null)
    .orderBy('u.takenAt')
    .execute()
  const bills = await db
    .selectFrom('bills')
    .select(['kind', 'number', 'total', 'status'])
    .where('registrationId', '=', id)
    .where('status', '<>', 'cancelled')
    .orderBy('issuedAt')
    .execute()
  return {
    registration: { id, code, applicantName },
    vouchers: uses.map(({ appliesTo, paid, value, ...use }) => ({
      ...use,
      value: Number(value),
      on: kindOf(appliesTo),
      removable: !isClosed(status) && !paid,
    })),
    bills: bills.map(({ status: standing, ...bill }) => ({ ...bill, open: isOwed(standing) })),
    refusal: isClosed(status) ? sentences(language)('errors:voucher_registration_closed') : null,
  }
}

/**
 * Reserves a voucher for a registration and replaces its open bill by one with the discount. A voucher already entered
 * changes nothing. Refuses the account that made or last changed the voucher or its discount.
 */
export const enterVoucher = (
  services: Services,
  actor: Actor,
  registrationId: string,
  code: string,
  language: Language,
) =>
  inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    const registration = await getBilledRegistration(tx, actor, registrationId, { lock: true })
    if (isClosed(registration.status)) throw conflict('voucher_registration_closed')
    const found = await tx
      .selectFrom('vouchers as v')
      .innerJoin('discounts as d', 'd.id', 'v.discountId')
      .select(['v.id', 'd.id as discountId', 'd.appliesTo'])
      .select(['v.createdBy', 'v.updatedBy', 'd.createdBy as discountCreatedBy', 'd.updatedBy as discountUpdatedBy'])
      .where((eb) => eb(eb.fn('lower', ['v.code']), '=', code.toLowerCase()))
      .where('v.active', '=', true)
      .where('d.active', '=', true)
      .executeTakeFirst()
    if (!found) throw invalid({ code: 'voucher_unknown' })
    const makers = [found.createdBy, found.updatedBy, found.discountCreatedBy, found.discountUpdatedBy]
    if (makers.includes(actor.accountId)) throw invalid({ code: 'voucher_made_by_you' })
    const bill = await lockVoucherBill(tx, registrationId, kindOf(found.appliesTo), found.discountId)
    if (bill && !isOwed(bill.status))
      throw invalid({ code: { code: 'voucher_bill_settled', params: { number: bill.number } } })

    await lockVoucher(tx, found.id)
    const again = await tx
      .selectFrom('discountUses')
      .select('id')
      .where('registrationId', '=', registrationId)
      .where('voucherId', '=', found.id)
      .where('releasedAt', 'is', null)
      .executeTakeFirst()
    if (again) return
    await checkVoucher(tx, now, found.id, language)
    const use = await tx
      .insertInto('discountUses')
      .values({
        discountId: found.discountId,
        voucherId: found.id,
        registrationId,
        takenAt: now,
        takenBy: actor.accountId,
      })
      .onConflict((oc) => oc.columns(['discountId', 'registrationId']).where('releasedAt', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!use) throw invalid({ code: 'voucher_same_discount' })
    await count(tx, { discountId: found.discountId, voucherId: found.id }, 1)
    await recordAudit(tx, actor, {
      action: 'registration.enter-voucher',
      on: { registration: registrationId },
      after: { code },
    })
    if (!bill) return
    await replaceBill(context, bill, code)
    const used = await tx.selectFrom('discountUses').select('billId').where('id', '=', use.id).executeTakeFirstOrThrow()
    // Rolls back the whole transaction: no voucher is used up by a bill it does not reduce.
    if (!used.billId) throw invalid({ code: 'voucher_worth_less' })
  })

/** Removes a voucher; an open bill without payments is replaced by one without the discount. */
export const removeVoucher = (services: Services, actor: Actor, registrationId: string, useId: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const registration = await getBilledRegistration(tx, actor, registrationId, { lock: true })
    const use = await tx
      .selectFrom('discountUses as u')
      .innerJoin('vouchers as v', 'v.id', 'u.voucherId')
      .innerJoin('discounts as d', 'd.id', 'u.discountId')
      .select(['u.id', 'u.discountId', 'v.code', 'd.appliesTo'])
      .where('u.id', '=', useId)
      .where('u.registrationId', '=', registrationId)
      .where('u.releasedAt', 'is', null)
      .executeTakeFirst()
    if (!use) throw notFound('voucher')
    if (isClosed(registration.status)) throw conflict('voucher_registration_closed')
    const bill = await lockVoucherBill(tx, registrationId, kindOf(use.appliesTo), use.discountId)
    if (bill && (bill.paid > 0 || !isOwed(bill.status))) throw conflict('voucher_paid_with', { number: bill.number })
    const now = services.clock.now()
    await tx.updateTable('discountUses').set({ billId: null, amount: null }).where('id', '=', useId).execute()
    await releaseUse(tx, now, useId)
    await recordAudit(tx, actor, {
      action: 'registration.remove-voucher',
      on: { registration: registrationId },
      before: { code: use.code },
    })
    if (bill) await replaceBill(context, bill, use.code)
  })

/**
 * Locks the current bill of a kind with all rows that replacing the bill changes, and the voucher's discount; undefined
 * while there is no bill. The caller holds the lock of the registration, so no other bill replaces this one meanwhile.
 */
async function lockVoucherBill(tx: Tx, registrationId: string, kind: BillKind, discountId: string) {
  const standing = () =>
    tx
      .selectFrom('bills')
      .selectAll()
      .where('registrationId', '=', registrationId)
      .where('kind', '=', kind)
      .where('status', '<>', 'cancelled')
      .executeTakeFirst()
  const seen = await standing()
  if (!seen) return undefined
  await lockForReissue(tx, { registrationId, billId: seen.id, paymentId: null }, [discountId])
  return standing()
}

/** Replaces a bill by one with the current discounts. The dates stay; the bank transfer numbers end. */
const replaceBill = async (context: Context, bill: Bill, reason: string) =>
  reissueBill(context, bill.id, {
    lines: await billLinesOf(context.tx, bill.id),
    dueAt: bill.dueAt ?? bill.issuedAt,
    installmentPlanId: bill.installmentPlanId,
    planFrom: bill.issuedAt,
    reason,
  })

type Judged = { startsOn: string | null; endedOn: string | null; usedUp: boolean }

/** Locks in the common order: the discount, then the voucher. */
async function lockVoucher(tx: Tx, voucherId: string) {
  await sql`SELECT d.id FROM discounts d JOIN vouchers v ON v.discount_id = d.id WHERE v.id = ${voucherId}
    FOR UPDATE OF d`.execute(tx)
  await sql`SELECT id FROM vouchers WHERE id = ${voucherId} FOR UPDATE`.execute(tx)
}

/** Throws 422 with a sentence for the field `code`. */
async function checkVoucher(tx: Tx, now: Date, voucherId: string, language: Language) {
  const { timeZone } = await getSettings(tx)
  const { rows } = await sql<Judged>`
    SELECT CASE WHEN d.valid_from > t.today THEN d.valid_from END AS starts_on,
      CASE WHEN least(d.valid_to, v.valid_to) < t.today THEN least(d.valid_to, v.valid_to) END AS ended_on,
      coalesce(d.uses >= d.max_uses, false) OR coalesce(v.uses >= v.max_uses, false) AS used_up
    FROM vouchers v JOIN discounts d ON d.id = v.discount_id,
      (SELECT (${now}::timestamptz AT TIME ZONE ${timeZone})::date AS today) t
    WHERE v.id = ${voucherId}`.execute(tx)
  const { startsOn, endedOn, usedUp } = theOnly(rows)
  if (startsOn) throw invalid({ code: { code: 'voucher_not_yet', params: { date: longDate(startsOn, language) } } })
  if (endedOn) throw invalid({ code: { code: 'voucher_ended', params: { date: longDate(endedOn, language) } } })
  if (usedUp) throw invalid({ code: 'voucher_used_up' })
}
