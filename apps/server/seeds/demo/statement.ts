import crypto from 'node:crypto'
import { sql } from 'kysely'
import { bankCalendar, daysBetween, shiftDay } from '#domain/calendar.ts'
import { fieldChanges } from '#domain/payments/approvals/compare-fields.ts'
import { fieldsOfBankAccount } from '#server/modules/payments/reconciliation/bank-account-fields.ts'
import { importStatement } from '#server/modules/payments/reconciliation/statements/import-statement.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { demoId } from './university.ts'

const accountNumber = '9900100020003'
const openingBalance = 125_000_000
/** Number of days the statement covers; its last day is the day before yesterday. */
const statementDays = 12

type PaidTransfer = { day: string; amount: number; reference: string; number: string }

const findPaidBetween = async (db: Db, firstDay: string, lastDay: string) =>
  (
    await sql<PaidTransfer>`
      SELECT * FROM (SELECT to_char(p.paid_at AT TIME ZONE ${bankCalendar.timeZone}::text, 'YYYY-MM-DD') AS day, p.amount,
        p.provider_reference AS reference, p.virtual_account_number AS number, p.id
        FROM payments p JOIN virtual_accounts v ON v.id = p.virtual_account_id AND v.bank = 'sandbox-a') paid
      WHERE day BETWEEN ${firstDay} AND ${lastDay} ORDER BY day, id`.execute(db)
  ).rows

type Entry = { mark: 'C' | 'D'; amount: number; text: string }

/** Writes a bank statement (MT940, one block a day) whose closing balances follow from its entries. */
function writeStatement(firstDay: string, lastDay: string, entriesOf: (day: string) => Entry[]): string {
  let balance = openingBalance
  const toMt940Day = (day: string) => day.replaceAll('-', '').slice(2)
  return daysBetween(firstDay, lastDay)
    .map((day, index) => {
      const balanceBefore = balance
      const lines = entriesOf(day).flatMap(({ mark, amount, text }) => {
        balance += mark === 'C' ? amount : -amount
        return [`:61:${toMt940Day(day)}${toMt940Day(day).slice(2)}${mark}${amount},00NTRFNONREF`, `:86:${text}`]
      })
      return [
        `:20:DEMO${toMt940Day(day)}`,
        `:25:${accountNumber}`,
        `:28C:${index + 1}/1`,
        `:60F:C${toMt940Day(day)}IDR${balanceBefore},00`,
        ...lines,
        `:62F:C${toMt940Day(day)}IDR${balance},00`,
        '-',
      ].join('\r\n')
    })
    .join('\r\n')
}

/**
 * Adds the bank account with its approval request, requested by the finance office and approved by the administrator.
 */
const addApprovedAccount = ({ db, clock }: Services, id: string) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const values = {
      name: 'Rekening PMB',
      bank: 'Bank Contoh',
      number: accountNumber,
      holder: 'Universitas Contoh Nusantara',
      takesTransfers: true,
      active: true,
    }
    const sources = ['sandbox-a']
    const approvalRequestId = demoId('bank-account-request')
    await tx
      .insertInto('approvalRequests')
      .values({
        id: approvalRequestId,
        kind: 'bank_account',
        amount: 0,
        details: JSON.stringify({ action: 'add', ...values, sources, mapping: null }),
        effect: JSON.stringify({
          amount: 0,
          changes: fieldChanges({}, fieldsOfBankAccount({ ...values, sources, mapping: null })),
        }),
        reason: 'Rekening penerimaan mahasiswa baru',
        requestedBy: demoId('account:keuangan@demo.test'),
        requestedAt: now,
        status: 'approved',
        decidedBy: demoId('account:administrator@demo.test'),
        decidedAt: now,
      })
      .execute()
    await tx
      .insertInto('bankAccounts')
      .values({ id, ...values, createdAt: now, approvalRequestId })
      .execute()
    await tx.updateTable('approvalRequests').set({ bankAccountId: id }).where('id', '=', approvalRequestId).execute()
    for (const [action, address] of [
      ['approval.ask', 'keuangan@demo.test'],
      ['approval.approve', 'administrator@demo.test'],
    ] as const)
      await recordAudit(
        tx,
        { ...systemActor, accountId: demoId(`account:${address}`) },
        { action, on: { approval: approvalRequestId }, after: { kind: 'bank_account', amount: 0 } },
      )
    await tx
      .insertInto('bankAccountSources')
      .values(sources.map((bank) => ({ bank, bankAccountId: id })))
      .execute()
  })

/**
 * Adds a bank account whose statement matches the books, except for a missing, a short and an unknown credit on one
 * day.
 */
export async function seedDemoStatement(services: Services): Promise<void> {
  const { db, clock } = services
  const id = demoId('bank-account')
  const lastDay = shiftDay(bankCalendar.dayOf(clock.now()), -2)
  const firstDay = shiftDay(lastDay, 1 - statementDays)
  await addApprovedAccount(services, id)

  const paymentsByDay = Map.groupBy(await findPaidBetween(db, firstDay, lastDay), ({ day }) => day)
  const oddDay = [...paymentsByDay].findLast(([, payments]) => payments.length > 3)?.[0]
  const text = writeStatement(firstDay, lastDay, (day) => {
    const credits = (paymentsByDay.get(day) ?? []).map(
      ({ amount, reference, number }): Entry => ({ mark: 'C', amount, text: `${reference} ${number}` }),
    )
    const [_missing, underpaidCredit, ...rest] = credits
    if (day !== oddDay || !underpaidCredit) return credits
    return [
      { ...underpaidCredit, amount: underpaidCredit.amount - 2_500 },
      ...rest,
      { mark: 'C', amount: 375_000, text: 'SETORAN TUNAI TANPA NAMA' },
      { mark: 'D', amount: 15_000, text: 'BIAYA ADMINISTRASI' },
    ]
  })
  const bytes = Buffer.from(text)
  const clerk = { ...systemActor, accountId: demoId('account:keuangan@demo.test') }
  await importStatement(services, clerk, id, {
    name: 'rekening-koran-demo.sta',
    bytes,
    sha256: crypto.createHash('sha256').update(bytes).digest(),
  })
}
