import crypto from 'node:crypto'
import { sql } from 'kysely'
import { bankCalendar } from '#domain/calendar.ts'
import { daysBetween, shiftDay } from '#domain/days.ts'
import { fieldChanges } from '#domain/payments/approvals/field-changes.ts'
import { fieldsOfBankAccount } from '#server/modules/payments/reconciliation/bank-account-fields.ts'
import { importStatement } from '#server/modules/payments/reconciliation/statements/import-statement.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { demoId } from './university.ts'

const accountNumber = '9900100020003'
const opening = 125_000_000
/** The statement tells of so many days, the last of them the day before yesterday. */
const days = 12

type Paid = { day: string; amount: number; reference: string; number: string }

const paidBetween = async (db: Db, from: string, to: string) =>
  (
    await sql<Paid>`
      SELECT * FROM (SELECT to_char(p.paid_at AT TIME ZONE ${bankCalendar.timeZone}::text, 'YYYY-MM-DD') AS day, p.amount,
        p.provider_reference AS reference, p.virtual_account_number AS number, p.id
        FROM payments p JOIN virtual_accounts v ON v.id = p.virtual_account_id AND v.bank = 'sandbox-a') paid
      WHERE day BETWEEN ${from} AND ${to} ORDER BY day, id`.execute(db)
  ).rows

type Entry = { mark: 'C' | 'D'; amount: number; text: string }

/** A statement as a bank writes it (MT940, one block a day), with balances that add up. */
function written(from: string, to: string, entriesOf: (day: string) => Entry[]): string {
  let balance = opening
  const short = (day: string) => day.replaceAll('-', '').slice(2)
  return daysBetween(from, to)
    .map((day, at) => {
      const before = balance
      const lines = entriesOf(day).flatMap(({ mark, amount, text }) => {
        balance += mark === 'C' ? amount : -amount
        return [`:61:${short(day)}${short(day).slice(2)}${mark}${amount},00NTRFNONREF`, `:86:${text}`]
      })
      return [
        `:20:DEMO${short(day)}`,
        `:25:${accountNumber}`,
        `:28C:${at + 1}/1`,
        `:60F:C${short(day)}IDR${before},00`,
        ...lines,
        `:62F:C${short(day)}IDR${balance},00`,
        '-',
      ].join('\r\n')
    })
    .join('\r\n')
}

/** The account as the finance office asked for it and the administrator approved it. */
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
    const subject = { type: 'approval', id: approvalRequestId }
    for (const [action, address] of [
      ['approval.ask', 'keuangan@demo.test'],
      ['approval.approve', 'administrator@demo.test'],
    ] as const)
      await recordAudit(tx, { ...systemActor, accountId: demoId(`account:${address}`) }, action, subject, {
        after: { kind: 'bank_account', amount: 0 },
      })
    await tx
      .insertInto('bankAccountSources')
      .values(sources.map((bank) => ({ bank, bankAccountId: id })))
      .execute()
  })

/** An account of the demo university with a statement that agrees with its books but for three things on one day. */
export async function seedDemoStatement(services: Services): Promise<void> {
  const { db, clock } = services
  const id = demoId('bank-account')
  const last = shiftDay(bankCalendar.dayOf(clock.now()), -2)
  const first = shiftDay(last, 1 - days)
  if (await db.selectFrom('bankAccounts').select('id').where('id', '=', id).executeTakeFirst()) return
  await addApprovedAccount(services, id)

  const paid = Map.groupBy(await paidBetween(db, first, last), ({ day }) => day)
  const odd = [...paid].findLast(([, payments]) => payments.length > 3)?.[0]
  const text = written(first, last, (day) => {
    const credits = (paid.get(day) ?? []).map(
      ({ amount, reference, number }): Entry => ({ mark: 'C', amount, text: `${reference} ${number}` }),
    )
    if (day !== odd) return credits
    const [_missing, short, ...rest] = credits
    return [
      { ...short!, amount: short!.amount - 2_500 },
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
