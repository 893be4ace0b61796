import crypto from 'node:crypto'
import { sql } from 'kysely'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import type { Running } from '#server/platform/start-services.ts'
import { bytesOf, type Sent } from './bank.ts'
import type { OpenBill } from './bills.ts'
import { type DeskWork, deskDiffers } from './desk.ts'
import type { Transfer } from './plan.ts'

export type Proof = {
  problems: string[]
  rupiahAcknowledged: number
  rupiahBooked: number
  payments: number
  settled: number
  waiting: number
}

type Question = {
  round: string
  bills: readonly OpenBill[]
  books: readonly Transfer[]
  sent: Sent
  secretKey: string
  /** Work of the clerks, who meanwhile move money between these bills. */
  work: DeskWork | undefined
}

/** Compares the bank's books with ours: every acknowledged rupiah is booked exactly once, and no other money is. */
export async function prove(
  running: Running,
  { round, bills, books, sent, secretKey, work }: Question,
): Promise<Proof> {
  const { services, owner: db } = running
  const problems = [...sent.wrong.map((answer) => `wrong answer to ${answer}`)]
  const { rows: payments } = await sql<{ reference: string; number: string; amount: number; waiting: number }>`
    SELECT provider_reference AS reference, virtual_account_number AS number, amount, waiting_amount AS waiting
    FROM payments WHERE provider_reference ~ ${`^(TRT|FORGED)${round}-`}`.execute(db)

  const paymentsByReference = Map.groupBy(payments, ({ reference }) => reference)
  for (const { reference, number, amount } of books) {
    if (!sent.acknowledged.has(reference)) problems.push(`${reference} was never acknowledged`)
    const [payment, ...duplicates] = paymentsByReference.get(reference) ?? []
    if (!payment) problems.push(`${reference} was acknowledged and is not booked`)
    else if (duplicates.length > 0) problems.push(`${reference} is booked ${1 + duplicates.length} times`)
    else if (payment.amount !== amount || payment.number !== number)
      problems.push(`${reference}: ${amount} on ${number} is booked as ${payment.amount} on ${payment.number}`)
    paymentsByReference.delete(reference)
  }
  for (const reference of paymentsByReference.keys()) problems.push(`${reference} is booked and in no book of the bank`)
  // Clerks enter cash, and approve lines of the demo's statement.
  const strangers = await sql<{ reference: string }>`SELECT provider_reference AS reference FROM payments
    WHERE provider_reference !~ '^(TRT|DEMO-)' AND provider NOT IN ('manual', 'statement')`.execute(db)
  for (const { reference } of strangers.rows) problems.push(`${reference} is booked and nobody paid it`)

  problems.push(...(await (work ? deskDiffers(running, work) : billsDiffer(running, bills, books))))
  problems.push(...(await findMissingBytes(running, books, secretKey)))
  problems.push(...(await findUnannouncedBills(running, round)))
  for (const { check, label, stored, derived } of await checkInvariants(services))
    problems.push(`${check}: ${label} is ${stored}, should be ${derived}`)

  const sum = (values: readonly { amount: number }[]) => values.reduce((total, { amount }) => total + amount, 0)
  const { rows: settled } =
    await sql`SELECT 1 FROM bills WHERE id = ANY(${bills.map(({ id }) => id)}::uuid[]) AND status = 'paid'`.execute(db)
  return {
    problems,
    rupiahAcknowledged: sum(books.filter(({ reference }) => sent.acknowledged.has(reference))),
    rupiahBooked: sum(payments),
    payments: payments.length,
    settled: settled.length,
    waiting: payments.reduce((total, payment) => total + payment.waiting, 0),
  }
}

/** Bills whose money differs from the bank's books: money is booked up to the total, the rest waits. */
async function billsDiffer({ owner: db }: Running, bills: readonly OpenBill[], books: readonly Transfer[]) {
  const arrivedByNumber = new Map<string, number>()
  for (const { number, amount } of books) arrivedByNumber.set(number, (arrivedByNumber.get(number) ?? 0) + amount)
  const { rows } = await sql<{ id: string; paid: number; waiting: number }>`
    SELECT b.id, b.paid, coalesce((SELECT sum(p.waiting_amount) FROM payments p JOIN virtual_accounts v
      ON v.id = p.virtual_account_id WHERE v.bill_id = b.id), 0)::bigint AS waiting
    FROM bills b WHERE b.id = ANY(${bills.map(({ id }) => id)}::uuid[])`.execute(db)
  const billsById = new Map(rows.map((row) => [row.id, row]))
  return bills.flatMap(({ id, number, total }) => {
    const money = arrivedByNumber.get(number) ?? 0
    const bill = billsById.get(id)
    const paid = Math.min(money, total)
    if (bill?.paid === paid && bill.waiting === money - paid) return []
    return [`bill ${id} got ${money}: ${bill?.paid} is booked and ${bill?.waiting} waits`]
  })
}

/** Acknowledged reports that are not stored byte for byte. */
async function findMissingBytes({ owner: db }: Running, books: readonly Transfer[], secretKey: string) {
  const { rows } = await sql<{ hash: string }>`
    SELECT DISTINCT encode(sha256(body), 'hex') AS hash FROM bank_reports WHERE outcome IN ('booked', 'repeated')`.execute(
    db,
  )
  const storedHashes = new Set(rows.map(({ hash }) => hash))
  return books
    .filter((transfer) => {
      const { body } = bytesOf(transfer, secretKey)
      return !storedHashes.has(crypto.createHash('sha256').update(body).digest('hex'))
    })
    .map(({ reference }) => `the report of ${reference} is not kept`)
}

/**
 * Settled registration fees whose registration neither moved on nor has a waiting job, although the event is published
 * in the settling transaction.
 */
async function findUnannouncedBills({ owner: db }: Running, round: string) {
  const { rows } = await sql<{ number: string }>`
    SELECT b.number FROM bills b JOIN registrations r ON r.id = b.registration_id
    WHERE r.code LIKE ${`TRT${round}-%`} AND b.kind = 'registration_fee' AND b.status = 'paid' AND r.status = 'submitted'
      AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.name = 'settle-registration-fee' AND j.data->>'billId' = b.id::text
        AND j.state IN ('created', 'retry', 'active'))`.execute(db)
  return rows.map(({ number }) => `nobody was told that bill ${number} is settled`)
}
