import { type RawBuilder, sql } from 'kysely'
import type { Books } from '#server-test/factories/books.ts'

/** The record that is wrong after the statements. */
export type Mistake = [wrong: string | RawBuilder<unknown>, ...RawBuilder<unknown>[]]

export const strayMoney = sql`(SELECT id FROM payments WHERE virtual_account_number = '990019999999999')`
export const reversalOn = (billId: string) => sql`(SELECT id FROM allocations WHERE bill_id = ${billId} AND amount < 0)`
export const paymentOn = (accountId: string) => sql`(SELECT id FROM payments WHERE virtual_account_id = ${accountId})`
export const waiverOf = (billId: string) =>
  sql`(SELECT id FROM approval_requests WHERE bill_id = ${billId} AND kind = 'waiver')`
export const discountFor = (billId: string) =>
  sql`(SELECT q.id FROM approval_requests q JOIN bills o ON o.id = q.bill_id JOIN bills b ON b.registration_id = o.registration_id
    WHERE b.id = ${billId} AND q.kind = 'discount')`
export const newLine = sql`(SELECT id FROM statement_lines WHERE state = 'new')`
export const matchedBy = (how: string) => sql`(SELECT id FROM statement_lines WHERE matched_by = ${how})`
export const counter = (kind: string) => sql`(SELECT kind || ' ' || scope FROM number_counters WHERE kind = ${kind})`
/** Id of an account that has decided nothing. */
export const stranger = (w: Books) => sql`(SELECT account_id FROM bills WHERE id = ${w.open})`
export const match = (paymentId: RawBuilder<unknown>, by: string) =>
  sql`UPDATE statement_lines SET state = 'matched', payment_id = ${paymentId}, matched_by = ${by}, settled_at = now() WHERE id = ${newLine}`
export const behind = (kind: string) => sql`UPDATE number_counters SET value = value - 1 WHERE kind = ${kind}`
