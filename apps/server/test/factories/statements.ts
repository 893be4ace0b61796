import { expect } from 'vitest'
import type { ImportedStatement } from '#domain/payments/reconciliation/endpoints.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { approvedByAnother } from './approvals.ts'

let fileCount = 0

/** Mapping for the invented bank's CSV files. */
export const aMapping: StatementMapping = {
  encoding: 'auto',
  delimiter: ';',
  headerLine: 2,
  header: ['Tanggal', 'Keterangan', 'Referensi', 'Debet', 'Kredit', 'Saldo'],
  date: 0,
  dateFormat: 'dd/mm/yyyy',
  description: [1],
  reference: 2,
  amount: { kind: 'two', credit: 4, debit: 3 },
  balance: 5,
  decimal: ',',
  thousands: '.',
  skip: ['Total'],
}

/** An approved account of the university with the invented bank's mapping, for one bank's transfer numbers. */
export async function aBankAccount(
  t: TestApp,
  staff: TestActor,
  options: { sources?: string[]; takesTransfers?: boolean } = {},
) {
  const number = String(7_000_000_000 + ++fileCount)
  const answer = await staff.post('/bank-accounts', {
    name: `Rekening ${fileCount}`,
    bank: 'Bank Contoh',
    number,
    holder: 'Universitas Contoh',
    takesTransfers: false,
    sources: [],
    ...options,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  await approvedByAnother(t, answer.json().data.id)
  const { id } = await t.db
    .selectFrom('bankAccounts')
    .select('id')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  const saved = await staff.put(`/bank-accounts/${id}/mapping`, { mapping: aMapping, version: 1 })
  expect(saved.statusCode, saved.body).toBe(200)
  await approvedByAnother(t, saved.json().data.id)
  return { id, number, name: `Rekening ${fileCount}` }
}

/** Day (`2026-11-20`), description, reference and amount; negative for a debit. */
export type Told = [day: string, description: string, reference: string, amount: number]

const dotted = (amount: number) => `${String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, '.')},00`

/** A CSV statement of the invented bank with correct balances. */
export function aCsvStatement(lines: readonly Told[], opening = 1_000_000): Buffer {
  let balance = opening
  const rows = lines.map(([day, description, reference, amount]) => {
    balance += amount
    const [year, month, date] = day.split('-')
    const cells = [
      `${date}/${month}/${year}`,
      `"${description}"`,
      reference,
      amount < 0 ? dotted(amount) : '',
      amount > 0 ? dotted(amount) : '',
      `${balance < 0 ? '-' : ''}${dotted(balance)}`,
    ]
    return cells.join(';')
  })
  const head = ['Rekening Koran;Universitas Contoh', 'Tanggal;Keterangan;Referensi;Debet;Kredit;Saldo']
  return Buffer.from([...head, ...rows, `Total;;;;;${dotted(balance)}`, ''].join('\r\n'))
}

export const sendStatement = (staff: TestActor, accountId: string, bytes: Buffer, name = 'koran.csv') =>
  staff.upload(`/bank-accounts/${accountId}/statements`, { name, type: 'text/csv', bytes })

/** Imports valid lines; returns the counts of new and matched lines. */
export async function anImport(staff: TestActor, accountId: string, lines: readonly Told[], opening?: number) {
  const answer = await sendStatement(staff, accountId, aCsvStatement(lines, opening))
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data as ImportedStatement
}

/** An account with the approved request every account has, inserted directly into the tables. */
async function aStoredAccount({ db, clock }: Pick<TestApp, 'db' | 'clock'>, requestedBy: string) {
  const now = clock.now()
  const { id: decidedBy } = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '<>', requestedBy)
    .executeTakeFirstOrThrow()
  return db.transaction().execute(async (tx) => {
    const request = await tx
      .insertInto('approvalRequests')
      .values({
        ...{ kind: 'bank_account', amount: 0, reason: '', requestedBy, requestedAt: now },
        ...{ status: 'approved', decidedBy, decidedAt: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const values = { name: 'Rekening', bank: 'Bank Contoh', number: String(++fileCount), holder: 'Universitas' }
    const account = await tx
      .insertInto('bankAccounts')
      .values({ ...values, createdAt: now, approvalRequestId: request.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.updateTable('approvalRequests').set({ bankAccountId: account.id }).where('id', '=', request.id).execute()
    return account
  })
}

/** A statement line matched with a payment, and a difference about both, inserted directly into the tables. */
export async function aMatchedLine(
  { db, clock }: TestApp,
  { paymentId, importedBy, fileId }: { paymentId: string; importedBy: string; fileId: string },
) {
  const now = clock.now()
  const day = '2026-11-20'
  const account = await aStoredAccount({ db, clock }, importedBy)
  const storedLine = await db
    .insertInto('statementImports')
    .values({
      ...{ bankAccountId: account.id, fileId, fileName: 'koran.csv', format: 'csv', sha256: Buffer.from('koran') },
      ...{
        firstDay: day,
        lastDay: day,
        lines: 1,
        linesNew: 1,
        creditsSen: 100,
        debitsSen: 0,
        importedBy,
        importedAt: now,
      },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const line = await db
    .insertInto('statementLines')
    .values({
      ...{
        bankAccountId: account.id,
        importId: storedLine.id,
        lineNumber: 1,
        day,
        amountSen: 100,
        reference: '',
        description: '',
      },
      ...{ occurrence: 1, raw: '', state: 'matched', paymentId, matchedBy: 'reference', settledAt: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const compared = await db
    .insertInto('reconciliationDays')
    .values({ bankAccountId: account.id, day, computedAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const difference = await db
    .insertInto('reconciliationDifferences')
    .values({
      ...{ reconciliationDayId: compared.id, kind: 'amount_differs', subject: 'x', label: 'x', foundAt: now },
      ...{ paymentId, statementLineId: line.id },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { account: account.id, statement: storedLine.id, line: line.id, day: compared.id, difference: difference.id }
}
