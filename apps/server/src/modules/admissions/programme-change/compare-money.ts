import { universityCalendar } from '#domain/calendar.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { isPromiseOpen } from '#domain/payments/bills/promise.ts'
import { allocate } from '#server/modules/payments/bills/allocate.ts'
import { billLinesOf } from '#server/modules/payments/bills/change/issue-bill.ts'
import { quoteReissue, sumWaitingBehind } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { quoteDiscounts } from '#server/modules/payments/bills/prices/discounts.ts'
import type { NewBillLine } from '#server/modules/payments/bills/prices/lines.ts'
import {
  planInstallments,
  registrationFeeFor,
  tuitionFor,
  upfrontOf,
} from '#server/modules/payments/bills/prices/prices.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { ChangeTarget, ChangingBill, ChangingRegistration } from './facts.ts'

type Line = NewBillLine & { discountId?: string | null }

const keyOf = (line: Line) => {
  const discountId = line.discount?.discountId ?? line.discountId
  if (discountId) return { kind: 'discount' as const, key: `discount:${discountId}` }
  if (line.amount < 0) return { kind: 'reduction' as const, key: `reduction:${line.description}` }
  return { kind: 'fee' as const, key: `fee:${line.feeComponentId ?? line.description}` }
}

const order = { fee: 0, discount: 1, reduction: 2 }

/** Compares both bills line by line: components first, then discounts, then other reductions. */
function compareLines(before: readonly Line[], after: readonly Line[]) {
  const rows = new Map<
    string,
    { key: string; kind: 'fee' | 'discount' | 'reduction'; description: string; before: number; after: number }
  >()
  const add = (lines: readonly Line[], side: 'before' | 'after') => {
    for (const line of lines) {
      const { kind, key } = keyOf(line)
      const row = rows.get(key) ?? { key, kind, description: line.description, before: 0, after: 0 }
      row[side] += line.amount
      rows.set(key, row)
    }
  }
  add(before, 'before')
  add(after, 'after')
  return [...rows.values()].toSorted((a, b) => order[a.kind] - order[b.kind])
}

const sum = (lines: readonly { amount: number }[]) => lines.reduce((total, { amount }) => total + amount, 0)

/** Earliest due date of a reissued bill: the day of an open promise, else a week from now to pay a higher amount. */
const soonestOf = (now: Date, bill: ChangingBill | undefined) =>
  bill?.promisedUntil && isPromiseOpen(bill, now) ? bill.promisedUntil : universityCalendar().endOfDayAfter(now, 7)

export const atLeastAWeek = (now: Date, bill: ChangingBill | undefined) => {
  const soonest = soonestOf(now, bill)
  return bill?.dueAt && bill.dueAt > soonest ? bill.dueAt : soonest
}

/** Lines of the new bill before discounts: the target's tuition, and the former bill's other reductions. */
async function newLinesFor(db: Db, registration: ChangingRegistration, target: ChangeTarget, bill?: ChangingBill) {
  const { waveId, trackId } = registration
  const tuition = await tuitionFor(db, { ...target, waveId, trackId })
  const reductions = bill ? (await billLinesOf(db, bill.id)).filter(({ amount }) => amount < 0) : []
  return [...(tuition.lines as NewBillLine[]), ...reductions]
}

/** Compares the re-registration bill before and after the change, and how its payments are booked. */
export async function compareMoney(
  db: Db,
  now: Date,
  registration: ChangingRegistration,
  target: ChangeTarget,
  bill: ChangingBill | undefined,
) {
  const { id: registrationId, programmeId, classProgrammeId } = registration
  const kind = 're_registration' as const
  const priced = await newLinesFor(db, registration, target, bill)
  const current = bill
    ? await db
        .selectFrom('billLines')
        .select(['description', 'amount', 'feeComponentId', 'discountId'])
        .where('billId', '=', bill.id)
        .orderBy('sortOrder')
        .execute()
    : await quoteDiscounts(db, now, {
        registrationId,
        kind,
        lines: programmeId ? await newLinesFor(db, registration, { programmeId, classProgrammeId }) : [],
      })
  const quoted = bill
    ? await quoteReissue(db, now, bill, priced)
    : await quoteDiscounts(db, now, { registrationId, kind, lines: priced })
  const lines = compareLines(current as Line[], quoted)
  const totalBefore = sum(current)
  const total = sum(quoted)
  const paid = bill?.paid ?? 0
  const changes = bill !== undefined && lines.some((line) => line.before !== line.after)
  const { accountId } = registration
  const waitingBehind = changes ? await sumWaitingBehind(db, { registrationId, kind, accountId }) : 0
  const carriedOver = Math.min(paid + waitingBehind, total)
  const planId = bill?.installmentPlanId ?? registration.installmentPlanId
  const plan = planId
    ? await db.selectFrom('installmentPlans').select('name').where('id', '=', planId).executeTakeFirst()
    : undefined
  const currentInstallments = bill
    ? await db
        .selectFrom('installments')
        .select(['position', 'amount', 'paid', 'dueAt'])
        .where('billId', '=', bill.id)
        .orderBy('position')
        .execute()
    : []
  const dueAt = atLeastAWeek(now, bill)
  const dates = { known: currentInstallments.map((part) => part.dueAt), notBefore: soonestOf(now, bill) }
  const parts =
    planId && bill
      ? await planInstallments(db, planId, total, {
          issuedAt: bill.issuedAt,
          upfront: upfrontOf(quoted),
          dates,
        })
      : []
  const allocated = allocate(
    carriedOver,
    parts.map(({ position, amount, dueAt: due }) => ({ id: String(position), remaining: amount, dueAt: due })),
  ).parts
  const installments = changes
    ? parts.map((part) => ({ ...part, paid: allocated.find(({ id }) => id === String(part.position))?.amount ?? 0 }))
    : currentInstallments
  return {
    priced,
    dueAt,
    dates,
    ends: bill?.status === 'guaranteed',
    promise: bill && isPromiseOpen(bill, now) ? bill.promisedUntil : null,
    lines,
    bill: !bill ? ('none' as const) : changes ? ('anew' as const) : ('stays' as const),
    plan: plan?.name ?? null,
    before: {
      number: bill?.number ?? null,
      total: totalBefore,
      paid,
      dueAt: bill?.dueAt ?? null,
      installments: currentInstallments,
    },
    after: {
      number: bill && !changes ? bill.number : null,
      total,
      paid: carriedOver,
      dueAt: !bill ? null : changes ? (parts.at(-1)?.dueAt ?? dueAt) : bill.dueAt,
      installments,
    },
    difference: total - totalBefore,
    moved: carriedOver,
    waiting: paid + waitingBehind - carriedOver,
  }
}
export type ComparedMoney = Awaited<ReturnType<typeof compareMoney>>

/** Compares the registration fee before and after the change; only the class can change it. A settled bill stays. */
export async function compareFee(
  db: Db,
  registration: ChangingRegistration,
  target: ChangeTarget,
  bill: ChangingBill | undefined,
) {
  const before = await registrationFeeFor(db, registration)
  const after = await registrationFeeFor(db, { ...registration, classProgrammeId: target.classProgrammeId })
  const effect =
    before === after || !bill ? ('same' as const) : isOwed(bill.status) ? ('anew' as const) : ('settled' as const)
  return { before, after, effect }
}
