import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { shiftDay } from '#domain/calendar.ts'
import { errors } from '#locales/en/errors.ts'
import { aReport } from '#server-test/factories/payments.ts'
import { xlsxOfTable } from '#server-test/factories/sheets/sheets.ts'
import { aBankAccount, aCsvStatement, aMapping, anImport, sendStatement } from '#server-test/factories/statements.ts'
import {
  account,
  allAtOnce,
  aReportedPayment,
  clerk,
  linesOf,
  ok,
  onlyLine,
  setReconciliationStage,
  t,
  today,
} from '#server-test/stages/reconciliation-stage.ts'

setReconciliationStage()

describe('an imported statement', () => {
  test('keeps every line as the bank wrote it, credits and debits', async () => {
    const data = await anImport(clerk, account.id, [
      [today, 'SETORAN TUNAI  LOKET', 'REF-1', 250_000],
      [today, 'BIAYA ADM', '', -15_000],
    ])
    expect(data).toMatchObject({ lines: 2, fresh: 2, matched: 0, known: false })
    const [credit, debit] = await linesOf()
    expect(credit).toMatchObject({
      amountSen: 25_000_000,
      reference: 'REF-1',
      description: 'SETORAN TUNAI LOKET',
      state: 'new',
    })
    expect(credit!.raw).toContain('SETORAN TUNAI  LOKET')
    expect(debit).toMatchObject({ amountSen: -1_500_000, balanceSen: 123_500_000, state: 'new' })
    const [statement] = (await clerk.get(`/statements?bankAccountId=${account.id}`)).json().data
    expect(statement).toMatchObject({ lines: 2, linesNew: 2, open: 1, creditsSen: 25_000_000, debitsSen: -1_500_000 })
  })

  test('loses invisible characters, which could reorder digits, except in the bank’s original line', async () => {
    await anImport(clerk, account.id, [[today, 'TRF \u202e0001\u202c SA\u200bRI', 'R\u200eEF-2', 250_000]])
    const [line] = await linesOf()
    expect(line).toMatchObject({ description: 'TRF 0001 SARI', reference: 'REF-2' })
    expect(line!.raw).toContain('TRF \u202e0001\u202c SA\u200bRI')
  })

  test('as XLSX with millions of characters in a cell is refused as too long, not as damaged', async () => {
    const file = await xlsxOfTable([
      ['Tanggal', 'Keterangan'],
      [today, 'x'.repeat(5_000_000)],
    ])
    const answer = await sendStatement(clerk, account.id, file, 'koran.xlsx')
    expect([answer.statusCode, answer.json().errors.file]).toEqual([422, [errors.sheet_text_too_long]])
  })

  test('in a file of an old Office program other than Excel is refused with the accepted kinds', async () => {
    const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)])
    const { file } = (await sendStatement(clerk, account.id, bytes, 'koran.doc')).json().errors
    expect(file).toEqual([expect.stringContaining('Choose the CSV, Excel (XLSX) or MT940 file')])
  })

  test('as XLSX is read with the CSV mapping, including the numbers and days of spreadsheets', async () => {
    const file = await xlsxOfTable([
      ['Rekening Koran', 'Universitas Contoh'],
      ['Tanggal', 'Keterangan', 'Referensi', 'Debet', 'Kredit', 'Saldo'],
      [today, 'SETORAN', 'REF-X1', '', 250_000.5, 1_250_000.5],
      [today.split('-').toReversed().join('/'), 'BIAYA', '', '15.000,00', '', '1.235.000,50'],
      ['Total', '', '', '', '', 1_235_000.5],
    ])
    const preview = await clerk.upload(`/bank-accounts/${account.id}/statements/preview`, {
      ...{ name: 'koran.xlsx', type: 'application/octet-stream', bytes: file },
    })
    expect(ok(preview)).toMatchObject({ format: 'xlsx', count: 2, problems: [] })
    expect(ok(await sendStatement(clerk, account.id, file, 'koran.xlsx'))).toMatchObject({ lines: 2, fresh: 2 })
    expect((await linesOf()).map(({ amountSen, reference }) => [amountSen, reference])).toEqual([
      [25_000_050, 'REF-X1'],
      [-1_500_000, ''],
    ])
    const [statement] = (await clerk.get(`/statements?bankAccountId=${account.id}`)).json().data
    expect(statement).toMatchObject({ format: 'xlsx', fileName: 'koran.xlsx' })
    const again = await xlsxOfTable([['Tanggal'], ['Bukan', 'rekening', 'koran'], ['x']])
    expect((await sendStatement(clerk, account.id, again, 'b.xlsx')).json().errors.file[0]).toMatch(
      /changed its columns/,
    )
  })

  test('lists movements the bank has not booked, counts them in its sums and stores none', async () => {
    const text = aCsvStatement([
      [today, 'SETORAN', 'R1', 100_000],
      [today, 'BELUM', 'R2', 50_000],
    ])
      .toString()
      .replace(/^[^;\n]*(?=;"BELUM")/m, 'PEND')
    const bytes = Buffer.from(text)
    const preview = await clerk.upload(`/bank-accounts/${account.id}/statements/preview`, {
      ...{ name: 'a.csv', type: 'text/csv', bytes },
    })
    const pending = { count: 1, creditsSen: 5_000_000, debitsSen: 0, firstLines: [4] }
    expect(ok(preview)).toMatchObject({ count: 1, creditsSen: 10_000_000, pending, problems: [] })
    expect(ok(await sendStatement(clerk, account.id, bytes))).toMatchObject({ lines: 1, fresh: 1, pending: 1 })
    expect((await linesOf()).map(({ description }) => description)).toEqual(['SETORAN'])
    const [statement] = (await clerk.get(`/statements?bankAccountId=${account.id}`)).json().data
    expect(statement).toMatchObject({ lines: 1, pending: 1 })
  })

  test('in an old or password-protected Excel file is refused with what to do', async () => {
    const header = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    const bytes = Buffer.concat([header, Buffer.alloc(504), Buffer.from('EncryptedPackage', 'utf16le')])
    const answer = await sendStatement(clerk, account.id, bytes, 'koran.xlsx')
    expect([answer.statusCode, answer.json().errors.file]).toEqual([
      422,
      [expect.stringContaining('This Excel file is protected with a password.')],
    ])
  })

  test('repeated, even ten times at once, changes nothing', async () => {
    const bytes = aCsvStatement([[today, 'A', 'R1', 100_000]])
    const answers = await allAtOnce((actor) => sendStatement(actor, account.id, bytes))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
    expect(ok(await sendStatement(clerk, account.id, bytes))).toMatchObject({ fresh: 0, known: true })
    expect(await linesOf()).toHaveLength(1)
    expect((await clerk.get(`/statements?bankAccountId=${account.id}`)).json().meta.total).toBe(1)
  })

  test('counts two equal transfers of one day, and an overlapping later file adds only the new ones', async () => {
    const twin: [string, string, string, number] = [today, 'TRF SARI', '', 100_000]
    const yesterday = shiftDay(today, -1)
    expect(await anImport(clerk, account.id, [[yesterday, 'LAIN', '', 5_000], twin, twin])).toMatchObject({ fresh: 3 })
    // Exported again at the end of the day: a third transfer has arrived, and the file begins later.
    const later = await anImport(clerk, account.id, [twin, twin, twin, [today, 'BARU', '', 7_000]], 1_005_000)
    expect(later).toMatchObject({ lines: 4, fresh: 2 })
    expect((await linesOf()).map(({ occurrence, amountSen }) => [amountSen / 100, occurrence])).toEqual([
      [5_000, 1],
      [100_000, 1],
      [100_000, 2],
      [100_000, 3],
      [7_000, 1],
    ])
  })

  test('with a fee of zero as its only line is stored as a day without movements', async () => {
    const text = aCsvStatement([[today, 'BIAYA ADM', '', 0]])
      .toString()
      .replace(';;;;', ';;;0,00;')
    expect(ok(await sendStatement(clerk, account.id, Buffer.from(text)))).toMatchObject({
      lines: 0,
      fresh: 0,
      matched: 0,
      known: false,
    })
    const [statement] = (await clerk.get(`/statements?bankAccountId=${account.id}`)).json().data
    expect(statement).toMatchObject({ firstDay: today, lastDay: today, lines: 0 })
  })

  test('with errors is refused as a whole, with every error and its line', async () => {
    const good = aCsvStatement([[today, 'A', '', 100_000]]).toString()
    const wrong = good.replace(
      /Total.*/,
      [
        '31/02/2026;B;;;5.000,00;0',
        `${today.split('-').toReversed().join('/')};C;;;5.000,505;0`,
        `${today.split('-').toReversed().join('/')};D;;5,000.00;;0`,
      ].join('\r\n'),
    )
    const answer = await sendStatement(clerk, account.id, Buffer.from(wrong))
    expect(answer.statusCode).toBe(422)
    const { file } = answer.json().errors
    expect(file).toHaveLength(3)
    expect(file.map((sentence: string) => /^Line (\d+)/.exec(sentence)![1])).toEqual(['4', '5', '6'])
    expect(await linesOf()).toEqual([])
    const preview = ok(
      await clerk.upload(
        `/bank-accounts/${account.id}/statements/preview`,
        { name: 'a.csv', type: 'text/csv', bytes: Buffer.from(wrong) },
        { mapping: JSON.stringify(aMapping) },
      ),
    )
    expect(preview.problems.map(({ line }: { line: number }) => line)).toEqual([4, 5, 6])
  })

  test('is distinguished from a picture or PDF by its content', async () => {
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n%%EOF')
    expect((await sendStatement(clerk, account.id, pdf, 'koran.csv')).json().errors.file).toBeDefined()
    expect(
      (await sendStatement(clerk, account.id, Buffer.from([1, 0, 2]), 'koran.csv')).json().errors.file,
    ).toBeDefined()
    const large = await sendStatement(clerk, account.id, Buffer.alloc(40_000_001, 'a'))
    expect(large.json().errors.file[0]).toContain('40 MB')
  })

  test('with moved columns is refused', async () => {
    const moved = aCsvStatement([[today, 'A', '', 100_000]])
      .toString()
      .replace('Debet;Kredit', 'Kredit;Debet')
    expect((await sendStatement(clerk, account.id, Buffer.from(moved))).json().errors.file).toHaveLength(2)
  })

  test('as MT940 needs no mapping, and is refused if it is about another account', async () => {
    const yymmdd = today.slice(2).replaceAll('-', '')
    const file = (number: string) =>
      Buffer.from(
        [
          ':20:STMT1',
          `:25:008/${number}`,
          ':28C:1/1',
          `:60F:C${yymmdd}IDR1000000,00`,
          `:61:${yymmdd}${yymmdd.slice(2)}C250000,00NTRFNONREF//BANKREF77`,
          ':86:SETORAN SARI',
          `:62F:C${yymmdd}IDR1250000,00`,
          '-',
        ].join('\r\n'),
      )
    const other = await sendStatement(clerk, account.id, file('123'), 'a.sta')
    expect(other.json().errors.file[0]).toContain('another account')
    expect(ok(await sendStatement(clerk, account.id, file(account.number), 'a.sta'))).toMatchObject({ fresh: 1 })
    expect(await onlyLine()).toMatchObject({
      reference: 'BANKREF77',
      description: 'SETORAN SARI',
      amountSen: 25_000_000,
    })
  })

  test('previewed with another mapping warns about lines stored in other words', async () => {
    await anImport(clerk, account.id, [[today, 'TRF SARI', 'R1', 100_000]])
    const { data } = (
      await clerk.upload(
        `/bank-accounts/${account.id}/statements/preview`,
        { name: 'a.csv', type: 'text/csv', bytes: aCsvStatement([[today, 'TRF SARI', 'R1', 100_000]]) },
        { mapping: JSON.stringify({ ...aMapping, description: [2], reference: null }) },
      )
    ).json()
    expect(data).toMatchObject({ count: 1, fresh: 1, lookalikes: 1 })
  })

  test('cannot be rewritten, not even by the owner of the tables', async () => {
    await anImport(clerk, account.id, [[today, 'A', '', 100_000]])
    await expect(sql`UPDATE statement_lines SET amount_sen = 5`.execute(t.owner)).rejects.toThrow(
      'keeps what was written',
    )
    await expect(sql`DELETE FROM statement_lines`.execute(t.owner)).rejects.toThrow('keeps what was written')
  })
})

describe('automatic matching', () => {
  test('finds the bank’s reference anywhere in the line', async () => {
    const first = await aReportedPayment(250_000, { reference: `TRX${today.replaceAll('-', '')}A` })
    const second = await aReportedPayment(250_000, { reference: `TRX${today.replaceAll('-', '')}B` })
    const data = await anImport(clerk, account.id, [
      [today, 'VA CREDIT', first.payment.providerReference, 250_000],
      [today, `VA CREDIT/${second.payment.providerReference}/SARI`, 'OTHER77', 250_000],
    ])
    expect(data.matched).toBe(2)
    expect((await linesOf()).map(({ paymentId, matchedBy }) => [paymentId, matchedBy])).toEqual([
      [first.payment.id, 'reference'],
      [second.payment.id, 'reference'],
    ])
  })

  test('uses the portal’s number, the amount and the day, give or take one', async () => {
    const { number, payment } = await aReportedPayment()
    const spaced = number.replace(/(\d{4})(?=\d)/g, '$1 ')
    await anImport(clerk, account.id, [[shiftDay(today, -1), `SETORAN ${spaced} SARI`, '', 250_000]])
    expect(await onlyLine()).toMatchObject({ state: 'matched', matchedBy: 'number', paymentId: payment.id })
  })

  test('leaves lines with another amount, another day or two fitting payments to staff', async () => {
    const amount = await aReportedPayment()
    const day = await aReportedPayment()
    const twice = await aReportedPayment()
    await aReport(t, { virtualAccountNumber: twice.number, amount: 250_000, paidAt: t.clock.now() }).send()
    const data = await anImport(clerk, account.id, [
      [shiftDay(today, -3), `VA ${day.number}`, '', 250_000],
      [today, `VA ${amount.number}`, '', 249_000],
      [today, `VA ${twice.number}`, '', 250_000],
    ])
    expect(data.matched).toBe(0)
    expect((await linesOf()).map(({ state }) => state)).toEqual(['new', 'new', 'new'])
  })

  test('never matches a payment with a line of an account it does not arrive on', async () => {
    const elsewhere = await aBankAccount(t, clerk)
    const { payment } = await aReportedPayment()
    await anImport(clerk, elsewhere.id, [[today, 'X', payment.providerReference, 250_000]])
    expect((await linesOf(elsewhere.id))[0]).toMatchObject({ state: 'new' })
  })
})
