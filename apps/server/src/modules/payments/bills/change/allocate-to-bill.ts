import { sql } from 'kysely'
import { calendarOf } from '#domain/calendar.ts'
import { type BillStatus, billTransitions } from '#domain/payments/bills/bill-status.ts'
import { allocate } from '#server/modules/payments/bills/allocate.ts'
import { billSettled } from '#server/modules/payments/bills/events.ts'
import {
  closeVirtualAccounts,
  settleVirtualAccount,
  tellRemaining,
  type VirtualAccount,
} from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { takeNumber, writeNumber } from '#server/platform/database/numbers.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import type { Bill } from './issue-bill.ts'

type Incoming = {
  bill: Bill
  /** The number that received the money; its own instalment is paid first. */
  account?: VirtualAccount | undefined
  paymentId: string
  amount: number
}

/**
 * Allocates money to a bill that is locked and has room for it; announces a settled bill or instalment. Returns the
 * bill's new status.
 */
export async function allocateToBill(context: Context, incoming: Incoming): Promise<BillStatus> {
  const { tx, services, actor } = context
  const now = services.clock.now()
  const { bill, account, paymentId, amount } = incoming
  const installments = bill.installmentPlanId
    ? await tx
        .selectFrom('installments')
        .select(['id', 'position', 'amount', 'paid', 'dueAt'])
        .where('billId', '=', bill.id)
        .orderBy('position')
        .execute()
    : []
  const parts = installments.length
    ? allocate(
        amount,
        installments.map((part) => ({
          id: part.id,
          remaining: part.amount - part.paid,
          dueAt: part.dueAt,
          priority: part.id === account?.installmentId ? 0 : 1,
        })),
      ).parts
    : [{ id: null, amount }]
  const completed = installments.filter((row) => {
    const part = parts.find(({ id }) => id === row.id)
    return part && row.paid + part.amount >= row.amount
  })
  const settled = bill.paid + amount >= bill.total
  const step = settled ? billTransitions.settle : billTransitions.payPartly
  const partsJson = JSON.stringify(parts.map((part) => ({ ...part, done: completed.some(({ id }) => id === part.id) })))
  // One statement, because every other payment for this bill waits for it.
  await sql`WITH given AS (SELECT * FROM jsonb_to_recordset(${partsJson}::jsonb) AS part (id uuid, amount bigint, done boolean)),
    allocated AS (
      INSERT INTO allocations (payment_id, bill_id, installment_id, amount, created_at, created_by)
      SELECT ${paymentId}::uuid, ${bill.id}::uuid, id, amount, ${now}::timestamptz, ${actor.accountId || null}::uuid FROM given
    ), parts AS (
      UPDATE installments i SET paid = i.paid + given.amount, paid_at = CASE WHEN given.done THEN ${now}::timestamptz END
      FROM given WHERE i.id = given.id
    )
    UPDATE bills SET paid = paid + ${amount}, status = ${step.to}, paid_at = ${settled ? now : null}, version = version + 1
    WHERE id = ${bill.id} AND status = ANY(${[...step.from]}::text[])`.execute(tx)

  const target = account && completed.some((part) => part.id === account.installmentId)
  if (account && (settled || target)) await settleVirtualAccount(context, account)
  else if (account) await tellRemaining(context, account)
  if (settled) await closeVirtualAccounts(context, { billId: bill.id }, 'cancel')
  else for (const part of completed) await closeVirtualAccounts(context, { installmentId: part.id }, 'cancel')

  const event = billSettled.parse({ billId: bill.id, registrationId: bill.registrationId, kind: bill.kind })
  await services.jobs.publish(tx, settled ? 'bill.settled' : 'bill.progressed', event)
  return step.to
}

/**
 * Gives a receipt number to a payment with money on a bill. A payment gets only one receipt; the caller has locked its
 * row.
 */
export async function giveReceipt({ tx, services }: Omit<Context, 'actor'>, paymentId: string): Promise<void> {
  const { receiptNumber: template, timeZone } = await getSettings(tx)
  const yyyy = calendarOf(timeZone).yearOf(services.clock.now())
  const number = writeNumber(template, { YYYY: yyyy, YY: yyyy.slice(2) }, sql`taken.value`)
  const from = sql`FROM payments WHERE id = ${paymentId} AND receipt_number IS NULL`
  await sql`WITH taken AS (${takeNumber('receipt', yyyy, { from })})
    UPDATE payments SET receipt_number = ${number} FROM taken WHERE id = ${paymentId}`.execute(tx)
}
