import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import {
  aBankAccount,
  aCsvStatement,
  aMapping,
  anImport,
  sendStatement,
  type Told,
} from '#server-test/factories/statements.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let account: { id: string; number: string }
let today: string
beforeAll(async () => {
  t = await testApp({ config: { uploads: { perAccount: 10, patienceMs: 15_000, leastBytes: 8_192 } } })
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Keuangan')
  today = bankCalendar.dayOf(t.clock.now())
})
afterAll(async () => {
  await assertBalanced(t)
  await t.close()
})
beforeEach(async () => {
  account = await aBankAccount(t, clerk)
})

const ok = (answer: { statusCode: number; body: string; json(): any }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const linesOf = () =>
  t.db.selectFrom('statementLines').selectAll().where('bankAccountId', '=', account.id).orderBy('lineNumber').execute()
const import_ = (bytes: Buffer | string, name = 'koran.csv') =>
  sendStatement(clerk, account.id, Buffer.from(bytes as string), name)
const preview = (bytes: Buffer, mapping?: StatementMapping) =>
  clerk.upload(
    `/bank-accounts/${account.id}/statements/preview`,
    { name: 'a.csv', type: 'text/csv', bytes },
    mapping ? { mapping: JSON.stringify(mapping) } : {},
  )
const dmy = (day = today) => day.split('-').toReversed().join('/')
const ymd = (day = today) => day.slice(2).replaceAll('-', '')
const deposits = (...amounts: number[]): Told[] => amounts.map((amount, at) => [today, `SETORAN ${at}`, '', amount])

/** Sets the mapping of an invented bank that writes signed English numbers. */
async function withEnglishMapping() {
  const mapping: StatementMapping = {
    ...aMapping,
    ...{ delimiter: ',', headerLine: 1, header: ['Date', 'Text', 'Amount'], reference: null, balance: null },
    ...{ amount: { kind: 'signed', column: 2 }, decimal: '.', thousands: ',' },
  }
  const answer = await clerk.put(`/bank-accounts/${account.id}/mapping`, { mapping, version: 2 })
  await approvedByAnother(t, ok(answer).id)
}

describe('an uploaded file', () => {
  test('with mixed line ends keeps all four lines', async () => {
    const rows = aCsvStatement(deposits(1_000, 2_000, 3_000, 4_000))
      .toString()
      .split('\r\n')
    const mixed = rows.map((row, at) => row + (at % 2 ? '\n' : '\r\n')).join('')
    expect(ok(await import_(mixed))).toMatchObject({ lines: 4, fresh: 4 })
  })

  test('with other line ends adds nothing, even if both are imported at once', async () => {
    const crlf = aCsvStatement(deposits(1_000, 2_000))
    const lf = Buffer.from(crlf.toString().replaceAll('\r\n', '\n'))
    const answers = await Promise.all([crlf, lf, crlf, lf].map((bytes) => import_(bytes)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect((await linesOf()).map(({ state }) => state)).toEqual(['new', 'new'])
    expect(answers.reduce((sum, answer) => sum + answer.json().data.fresh, 0)).toBe(2)
    expect(await t.db.selectFrom('statementStaging').selectAll().execute()).toEqual([])
  })

  test('in the UTF-16 of Windows is read with and without a byte order mark', async () => {
    const text = aCsvStatement([[today, 'SETORAN BU É', '', 1_000]]).toString()
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    expect(ok(await preview(marked, aMapping))).toMatchObject({ encoding: 'utf-16le', count: 1, problemCount: 0 })
    expect(ok(await preview(Buffer.from(text, 'utf16le'), aMapping))).toMatchObject({ encoding: 'utf-16le', count: 1 })
    ok(await import_(marked))
    expect((await linesOf())[0]).toMatchObject({ description: 'SETORAN BU É' })
  })

  test('that begins with BM is not taken for a picture', async () => {
    const bytes = aCsvStatement(deposits(1_000)).toString().replace('Rekening Koran', 'BMS Rekening Koran')
    expect(ok(await import_(bytes))).toMatchObject({ fresh: 1 })
  })

  test('with NUL bytes, an endless line or absurd amounts or days is refused with 422', async () => {
    const good = aCsvStatement(deposits(1_000)).toString()
    const endless = good.replace('SETORAN 0', 'x'.repeat(20_000_000))
    const files = [
      good.replace('SETORAN', 'SETO\0RAN'),
      endless,
      '"'.repeat(100_000),
      good.replace('1.000,00;1', '9.999.999.999.999.999,99;1'),
      good.replace(dmy(), '01/01/0001'),
      good.replace(dmy(), '31/12/9999'),
    ]
    for (const file of files) {
      const answer = await import_(file)
      expect([answer.statusCode, answer.json().code]).toEqual([422, 'invalid_input'])
      expect(answer.json().errors.file.join()).not.toContain('statement_')
    }
    expect(await linesOf()).toEqual([])
  })

  test('of MT940 with sen and a currency after the account number is stored to the sen', async () => {
    const file = [
      ':20:STMT1',
      `:25:${account.number}IDR`,
      ':28C:1/1',
      `:60F:C${ymd()}IDR100000,35`,
      `:61:${ymd()}${ymd().slice(2)}C1250,75NTRFNONREF`,
      ':86:BUNGA',
      `:62F:C${ymd()}IDR101251,10`,
    ].join('\r\n')
    expect(ok(await import_(file, 'a.sta'))).toMatchObject({ fresh: 1 })
    expect(await linesOf()).toMatchObject([{ amountSen: 125_075 }])
    const imports = await t.db
      .selectFrom('statementImports')
      .selectAll()
      .where('bankAccountId', '=', account.id)
      .execute()
    expect(imports).toMatchObject([{ creditsSen: 125_075, closingBalanceSen: 10_125_110 }])
  })

  test('without a mapping is guessed from all its rows, and shown with its first and last ones', async () => {
    const days = Array.from({ length: 60 }, (_, at): Told => [shiftDay(today, at - 60), `SETORAN ${at}`, '', 1_000_000])
    const values = { name: 'Baru', bank: 'Bank Baru', number: '55443322', holder: 'Universitas Contoh' }
    const request = ok(await clerk.post('/bank-accounts', { ...values, takesTransfers: false, sources: [] }))
    await approvedByAnother(t, request.id)
    const { id } = await t.db
      .selectFrom('bankAccounts')
      .select('id')
      .where('number', '=', '55443322')
      .executeTakeFirstOrThrow()
    account = { id, number: '55443322' }
    const data = ok(await preview(aCsvStatement(days)))
    expect(data).toMatchObject({
      mapping: null,
      encoding: 'utf-8',
      guess: { delimiter: ';', headerLine: 2, dateFormat: 'dd/mm/yyyy', kind: 'two', decimal: ',', thousands: '.' },
    })
    expect(data.lastRows.at(-1).cells[0]).toBe('Total')
    const read = ok(await preview(aCsvStatement(days), aMapping))
    expect(read.lines[0]).toMatchObject({ day: days[0]![0], amountSen: 100_000_000 })
    expect(read.lastLines.at(-1)).toMatchObject({ day: days[59]![0], balanceSen: 6_100_000_000 })
  })

  test('with a thousand rows that are too wide counts them all and lists the first', async () => {
    await withEnglishMapping()
    const rows = Array.from({ length: 1_000 }, () => `${dmy()},A,1,250,000.00`)
    const bytes = Buffer.from(['Date,Text,Amount', ...rows, `${dmy()},A,"1,250,000.00"`].join('\n'))
    const data = ok(await preview(bytes))
    expect([data.problemCount, data.problems.length, data.problems[0].line]).toEqual([1_000, 500, 2])
    const { file } = (await import_(bytes)).json().errors
    expect([file.length, file.at(-1)]).toEqual([501, 'And 500 more.'])
    expect(await linesOf()).toEqual([])
  })

  test('cannot raise the sum of a day beyond what can be counted exactly', async () => {
    await withEnglishMapping()
    const huge = (words: string) =>
      ['Date,Text,Amount', ...[1, 2, 3, 4, 5].map((at) => `${dmy()},${words} ${at},900000000000${at}`)].join('\n')
    ok(await import_(huge('SATU')))
    const refused = await import_(huge('DUA'))
    expect(refused.json().errors.file[0]).toContain(today)
    expect(await linesOf()).toHaveLength(5)
  })
})

describe('a credit with sen', () => {
  const aSenLine = async (amount = '31472518.3') => {
    await withEnglishMapping()
    ok(await import_(`Date,Text,Amount\n${dmy()},SETORAN SARI,${amount}\n`))
    return (await linesOf()).at(-1)!
  }

  test('is matched with whole rupiah only by hand, with a reason', async () => {
    const { bill, actor } = await aBill(t, academic, { lines: [{ description: 'Biaya', amount: 250_000 }] })
    const { number } = await aVirtualAccount(actor, bill.id)
    account = await aBankAccount(t, clerk, { sources: ['sandbox-a'] })
    await aReport(t, { virtualAccountNumber: number, amount: 250_000, paidAt: t.clock.now() }).send()
    await withEnglishMapping()
    expect(ok(await import_(`Date,Text,Amount\n${dmy()},VA ${number},250000.5\n`))).toMatchObject({ matched: 0 })
    const [line] = await linesOf()
    const payment = await t.db
      .selectFrom('payments')
      .select('id')
      .where('virtualAccountNumber', '=', number)
      .executeTakeFirstOrThrow()
    const match = (more = {}) => clerk.post(`/statement-lines/${line!.id}/match`, { paymentId: payment.id, ...more })
    expect((await match()).json().errors.reason).toBeDefined()
    ok(await match({ reason: 'Sen dari kurs bank' }))
    const day = ok(await clerk.post('/rekonsiliasi/compute', { bankAccountId: account.id, day: today }))
    const { list, ...sums } = ok(await clerk.get(`/rekonsiliasi/${day.id}`))
    expect(sums).toMatchObject({ ledgerTotal: 250_000, statementTotalSen: 25_000_050, openDifferences: 0 })
    expect(list.find(({ kind }: { kind: string }) => kind === 'amount_differs')).toMatchObject({
      statementAmountSen: 25_000_050,
      settledHow: 'reason',
    })
  })

  test('is recorded as whole rupiah if one account gives the reason and another approves', async () => {
    const line = await aSenLine()
    const record = (body: object) => clerk.post(`/statement-lines/${line.id}/record`, body)
    expect((await record({})).json().errors.withoutSen).toBeDefined()
    const { id } = ok(await record({ withoutSen: 'Sen dari kurs bank' }))
    const second = await asStaff(t, 'Administrator')
    const { effect } = await t.db
      .selectFrom('approvalRequests')
      .select('effect')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(effect).toMatchObject({
      amount: 31_472_518,
      statementAmount: 'Rp\u00a031.472.518,30',
      withoutSen: 'Sen dari kurs bank',
    })
    expect((await clerk.post(`/persetujuan/${id}/decide`, { approve: true })).statusCode).toBe(403)
    ok(await second.post(`/persetujuan/${id}/decide`, { approve: true }))
    const [recorded] = await linesOf()
    expect(recorded).toMatchObject({ matchedBy: 'recorded', reason: 'Sen dari kurs bank', settledBy: second.accountId })
    const payments = await t.db.selectFrom('payments').select('amount').where('id', '=', recorded!.paymentId!).execute()
    expect(payments).toEqual([{ amount: 31_472_518 }])
    const [audited] = await t.db.selectFrom('auditLog').selectAll().where('subjectId', '=', line.id).execute()
    expect(audited).toMatchObject({ action: 'statement-line.book', reason: 'Sen dari kurs bank' })
  })

  test('below one rupiah is explained and never recorded', async () => {
    const line = await aSenLine('0.35')
    const answer = await clerk.post(`/statement-lines/${line.id}/record`, { withoutSen: 'Sen saja' })
    expect(answer.json().code).toBe('line_below_rupiah')
    ok(await clerk.post(`/statement-lines/${line.id}/explain`, { explanation: 'interest', reason: 'Bunga bulanan' }))
  })

  test('is found with or without typed sen, and exported with its sen', async () => {
    const line = await aSenLine()
    const found = async (q: string) =>
      ok(await clerk.get(`/statement-lines?bankAccountId=${account.id}&q=${encodeURIComponent(q)}`)).map(
        (one: any) => one.id,
      )
    expect(await found('31.472.518')).toEqual([line.id])
    expect(await found('31.472.518,30')).toEqual([line.id])
    expect(await found('31.472.518,31')).toEqual([])
    const csv = await clerk.get(`/statement-lines/export?format=csv&bankAccountId=${account.id}`)
    expect(csv.body).toContain('31472518.30')
    for (const format of ['xlsx', 'pdf'])
      expect((await clerk.get(`/statement-lines/export?format=${format}&bankAccountId=${account.id}`)).statusCode).toBe(
        200,
      )
  })
})

describe('lines imported again in other words', () => {
  const first = (): Told => [today, 'TRF SARI WULANDARI', '', 100_000]
  const again = (): Told => [today, 'TRANSFER DARI SARI WULANDARI', '', 100_000]

  test('are held: they match nothing, are in no total and wait for staff', async () => {
    await anImport(clerk, account.id, [first()])
    const previewed = ok(await preview(aCsvStatement([again()])))
    expect(previewed).toMatchObject({ fresh: 1, lookalikes: 1 })
    expect(await anImport(clerk, account.id, [again()])).toMatchObject({ fresh: 1, held: 1 })
    const lines = await linesOf()
    const held = lines.find(({ state }) => state === 'held')!
    expect(held.similarTo).toBe(lines.find(({ state }) => state === 'new')!.id)
    const day = ok(await clerk.post('/rekonsiliasi/compute', { bankAccountId: account.id, day: today }))
    const { list, ...sums } = ok(await clerk.get(`/rekonsiliasi/${day.id}`))
    expect(sums).toMatchObject({ statementTotalSen: 10_000_000, statementCount: 1 })
    expect(list.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['line_held', 'not_in_ledger'])
    const reason = 'Belum diperiksa'
    for (const [action, body] of [
      ['record', {}],
      ['explain', { explanation: 'other', reason }],
    ] as const)
      expect((await clerk.post(`/statement-lines/${held.id}/${action}`, body)).json().code).toBe('line_held')
    const heldDifference = list.find(({ kind }: { kind: string }) => kind === 'line_held')
    const settled = await clerk.post(`/reconciliation-differences/${heldDifference.id}/settle`, { reason })
    expect(settled.json().code).toBe('line_held')
    // The file again, with other line ends: the held line stays held.
    const lf = aCsvStatement([again()]).toString().replaceAll('\r\n', '\n')
    expect(ok(await import_(lf))).toMatchObject({ fresh: 0, held: 0 })
  })

  test('released as separate transfers can be recorded, but not approved by the account that released them', async () => {
    await anImport(clerk, account.id, [first()])
    await anImport(clerk, account.id, [again()])
    const held = (await linesOf()).find(({ state }) => state === 'held')!
    const second = await asStaff(t, 'Administrator')
    const answer = { both: true, reason: 'Dua kali transfer, sudah ditanyakan' }
    const answers = await Promise.all([1, 2, 3].map(() => second.post(`/statement-lines/${held.id}/release`, answer)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const log = await t.db
      .selectFrom('auditLog')
      .select(['action', 'reason'])
      .where('subjectId', '=', held.id)
      .execute()
    expect(log).toEqual([{ action: 'statement-line.release', reason: answer.reason }])
    const request = ok(await clerk.post(`/statement-lines/${held.id}/record`, {}))
    const refused = await second.post(`/persetujuan/${request.id}/decide`, { approve: true })
    expect(refused.statusCode).toBe(403)
    await approvedByAnother(t, request.id)
  })

  test('declared the same never count, until that is undone', async () => {
    await anImport(clerk, account.id, [first(), [today, 'SETORAN BUDI', '', 70_000]])
    const { id } = await anImport(clerk, account.id, [again(), [today, 'SETORAN TUNAI BUDI', '', 70_000]])
    const data = ok(await clerk.post(`/statements/${id}/release`, { both: false, reason: 'Unduhan yang sama' }))
    expect(data).toEqual({ count: 2 })
    const same = (await linesOf()).filter(({ state }) => state === 'same')
    expect(same).toHaveLength(2)
    ok(await clerk.post(`/statement-lines/${same[0]!.id}/reopen`, { reason: 'Ternyata berbeda' }))
    expect((await linesOf()).filter(({ state }) => state === 'held')).toHaveLength(1)
  })

  test('are not held if their numbers differ or the file contains both', async () => {
    await anImport(clerk, account.id, [[today, 'VA CREDIT 9900100000000017', '', 100_000]])
    expect(await anImport(clerk, account.id, [[today, 'VA CREDIT 9900100000000025', '', 100_000]])).toMatchObject({
      held: 0,
    })
    await anImport(clerk, account.id, [[today, 'TUNAI A', '', 50_000]])
    const both: Told[] = [
      [today, 'TUNAI A', '', 50_000],
      [today, 'TUNAI B', '', 50_000],
    ]
    expect(await anImport(clerk, account.id, both)).toMatchObject({ fresh: 1, held: 0 })
  })
})

test('an import and a decision about a line at once both succeed, one after the other', async () => {
  await anImport(clerk, account.id, deposits(111_000))
  const [line] = await linesOf()
  const { id } = ok(await clerk.post(`/statement-lines/${line!.id}/record`, {}))
  const second = await asStaff(t, 'Administrator')
  const many = deposits(...Array.from({ length: 3_000 }, (_, at) => 200_000 + at))
  const [imported, decided, explained] = await Promise.all([
    import_(aCsvStatement(many)),
    second.post(`/persetujuan/${id}/decide`, { approve: true }),
    clerk.post(`/statement-lines/${line!.id}/explain`, { explanation: 'other', reason: 'Bukan mahasiswa' }),
  ])
  expect([imported.statusCode, decided.statusCode, explained.statusCode]).toEqual([200, 200, 409])
  const { rows } = await sql`SELECT state, count(*)::int AS many FROM statement_lines
    WHERE bank_account_id = ${account.id} GROUP BY 1 ORDER BY 1`.execute(t.db)
  expect(rows).toEqual([
    { state: 'matched', many: 1 },
    { state: 'new', many: 3_000 },
  ])
})
