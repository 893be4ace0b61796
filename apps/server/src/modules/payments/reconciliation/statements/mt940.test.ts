import { describe, expect, test } from 'vitest'
import { fc } from '#testing/properties.ts'
import { readMt940 as readMt940Lines } from './mt940.ts'
import type { StatementLine, StatementProblem } from './statement-values.ts'

/** Reads a whole file at once. */
function readMt940(text: string) {
  const problems: StatementProblem[] = []
  const lines: StatementLine[] = []
  const reading = readMt940Lines(text, (problem) => problems.push(problem))
  for (;;) {
    const { value, done } = reading.next()
    if (!done) {
      lines.push(value)
      continue
    }
    const statements = value.map((one) => ({ ...one, lines: lines.splice(0, one.lines) }))
    return { statements, problems: problems.toSorted((x, y) => x.line - y.line) }
  }
}

const statement = (lines: string[], { opening = 'C261105IDR1000000,00', closing = '' } = {}) =>
  [':20:STARTUMS', ':25:008/1234567890', ':28C:12/1', `:60F:${opening}`, ...lines, `:62F:${closing}`, '-'].join('\n')

describe('MT940', () => {
  const plain = statement(
    [
      ':61:2611051105C250000,00NTRFNONREF//BCA778899',
      ':86:SETORAN 9900100000000017',
      'SARI WULANDARI',
      ':61:2611051105D15000,NMSCBIAYA',
      'ADM BULANAN',
      ':61:2611051105RC50000,00NTRFKOREKSI1',
      ':86:SALAH KREDIT',
      ':61:2611051105RD5000,00NMSCNONREF',
    ],
    { closing: 'C261105IDR1190000,00' },
  )

  test('is read with its balances, references, information and corrections', () => {
    const { statements, problems } = readMt940(plain)
    expect(problems).toEqual([])
    expect(statements).toHaveLength(1)
    expect(statements[0]).toMatchObject({
      account: '008/1234567890',
      number: '12/1',
      closingDay: '2026-11-05',
      closingSen: 119_000_000,
    })
    expect(statements[0]!.lines).toMatchObject([
      {
        day: '2026-11-05',
        amountSen: 25_000_000,
        reference: 'BCA778899',
        description: 'SETORAN 9900100000000017 SARI WULANDARI',
        reversal: false,
        lineNumber: 5,
      },
      { amountSen: -1_500_000, reference: 'BIAYA', description: 'ADM BULANAN' },
      { amountSen: -5_000_000, reference: 'KOREKSI1', description: 'SALAH KREDIT', reversal: true },
      { amountSen: 500_000, reference: '', reversal: true },
    ])
    expect(statements[0]!.lines[0]!.raw).toBe(
      ':61:2611051105C250000,00NTRFNONREF//BCA778899\n:86:SETORAN 9900100000000017\nSARI WULANDARI',
    )
  })

  test('means the same with CRLF and in SWIFT’s envelope', () => {
    const wrapped = `{1:F01BANKIDJAXXX0000000000}{2:I940UNIVIDJAXXXN}{3:{108:ABC}}{4:\n${plain}}{5:{CHK:123}}`
    for (const text of [plain.replaceAll('\n', '\r\n'), wrapped, wrapped.replaceAll('\n', '\r\n'), `\uFEFF${plain}`])
      expect(readMt940(text)).toMatchObject({
        problems: [],
        statements: [
          { lines: readMt940(plain).statements[0]!.lines.map(({ lineNumber: _, raw: __, ...line }) => line) },
        ],
      })
  })

  test('continues a number that fills a line on the next line', () => {
    const long = 'X'.repeat(57)
    const text = statement([':61:261105C5,00NTRFNONREF', `:86:${long}99001000`, '00000017 SARI'], {
      closing: 'C261105IDR1000005,00',
    })
    expect(readMt940(text).statements[0]!.lines[0]!.description).toContain('9900100000000017')
  })

  test('leaves the numbers of information parts out of the description', () => {
    const text = statement([':61:261105C5,00NTRFNONREF', ':86:166?00TRANSFER?20SETORAN UANG?32SARI'], {
      closing: 'C261105IDR1000005,00',
    })
    expect(readMt940(text).statements[0]!.lines[0]!.description).toBe('TRANSFER SETORAN UANG SARI')
  })

  test('ignores a currency letter after the debit or credit mark', () => {
    const text = statement([':61:2611051105CR5000,00NTRFNONREF'], { closing: 'C261105IDR1005000,00' })
    expect(readMt940(text)).toMatchObject({
      problems: [],
      statements: [{ lines: [{ amountSen: 500_000, reversal: false }] }],
    })
  })

  test('gives a booking day near the turn of the year its own year', () => {
    const one = statement([':61:2701011231C5,00NTRFNONREF'], { closing: 'C261231IDR1000005,00' })
    const other = statement([':61:2612310101C5,00NTRFNONREF'], { closing: 'C270101IDR1000005,00' })
    expect(readMt940(one).statements[0]!.lines[0]!.day).toBe('2026-12-31')
    expect(readMt940(other).statements[0]!.lines[0]!.day).toBe('2027-01-01')
  })

  test('may have several statements in one file and days without lines', () => {
    const empty = statement([], { opening: 'C261106IDR1190000,00', closing: 'C261106IDR1190000,00' })
    const { statements, problems } = readMt940(`${plain}\n${empty}`)
    expect(problems).toEqual([])
    expect(statements.map(({ closingDay, lines }) => [closingDay, lines.length])).toEqual([
      ['2026-11-05', 4],
      ['2026-11-06', 0],
    ])
  })

  test.each([
    ['sen that the balances do not have', plain.replace('C250000,00', 'C250000,50'), 'statement_balance_differs'],
    ['another currency', plain.replaceAll('IDR', 'USD'), 'statement_currency'],
    ['balances that do not add up', plain.replace('IDR1190000', 'IDR1190001'), 'statement_balance_differs'],
    ['a file cut off', plain.slice(0, plain.indexOf(':62F:')), 'statement_incomplete'],
    ['a line of rubbish', plain.replace(':61:2611051105C250000,00NTRF', ':61:rubbish'), 'statement_line_unreadable'],
    [
      'a day the calendar does not have',
      plain.replace(':61:2611051105C', ':61:2611310230C'),
      'statement_date_unreadable',
    ],
    ['another account in the same file', `${plain}\n${plain.replace('1234567890', '999')}`, 'statement_other_account'],
    ['nothing', '', 'statement_empty'],
    ['something else', 'Tanggal;Keterangan\n1;2', 'statement_line_unreadable'],
  ])('with %s is refused', (_, text, code) => {
    expect(readMt940(text).problems.map((problem) => problem.code)).toContain(code)
  })

  test('is read line for line as it was written', () => {
    const word = fc.stringMatching(/^[A-Z0-9]{1,12}$/)
    const line = fc.record({
      amount: fc.integer({ min: 1, max: 1e11 }),
      out: fc.boolean(),
      reference: word,
      text: word,
    })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.boolean(), (lines, windows) => {
        const sum = lines.reduce((total, { amount, out }) => total + (out ? -amount : amount), 1_000_000)
        const text = statement(
          lines.flatMap(({ amount, out, reference, text: said }) => [
            `:61:2611051105${out ? 'D' : 'C'}${amount},00NTRFX//${reference}`,
            `:86:${said}`,
          ]),
          { closing: `${sum < 0 ? 'D' : 'C'}261105IDR${Math.abs(sum)},00` },
        )
        const read = readMt940(windows ? text.replaceAll('\n', '\r\n') : text)
        expect(read.problems).toEqual([])
        expect(
          read.statements[0]!.lines.map(({ amountSen, reference, description }) => [
            amountSen / 100,
            reference,
            description,
          ]),
        ).toEqual(
          lines.map(({ amount, out, reference, text: said }) => [out ? -amount : amount, reference, `${said} X`]),
        )
      }),
    )
  })
})

describe('MT940 as banks write it', () => {
  test('keeps sen', () => {
    const text = statement([':61:2301020102C1250,75NTRFNONREF', ':86:BUNGA', ':61:2301020102D0,00NMSCPAJAK'], {
      opening: 'C230101IDR100000,35',
      closing: 'C230102IDR101251,10',
    })
    expect(readMt940(text)).toMatchObject({ problems: [], statements: [{ lines: [{ amountSen: 125_075 }] }] })
  })

  test.each(['1234567890IDR', '1234567890 IDR', '008/1234567890/IDR'])(
    'names its account with a currency: %s',
    (account) => {
      const text = statement([':61:261105C5,00NTRFNONREF'], { closing: 'C261105IDR1000005,00' })
      const read = readMt940(text.replace('008/1234567890', account))
      expect(read.problems).toEqual([])
      expect(read.statements[0]!.account.endsWith('1234567890')).toBe(true)
      expect(readMt940(text.replace('008/1234567890', account.replace('IDR', 'USD'))).problems[0]!.code).toBe(
        'statement_currency',
      )
    },
  )

  const ofDay = (date: string, from: number, amount: number) =>
    statement([`:61:${date}C${amount},00NTRFNONREF`], {
      opening: `C${date}IDR${from},00`,
      closing: `C${date}IDR${from + amount},00`,
    })

  test('with a missing day between two others is refused, whatever the order of the days', () => {
    const days = [ofDay('261103', 100, 5), ofDay('261104', 105, 7), ofDay('261105', 112, 9)]
    expect(readMt940(days.join('\n')).problems).toEqual([])
    expect(readMt940(days.toReversed().join('\n')).problems).toEqual([])
    const missing = readMt940([days[0], days[2]].join('\n')).problems
    expect(missing).toMatchObject([{ code: 'statement_days_missing', value: '2026-11-03 105,00 → 2026-11-05 112,00' }])
    // A weekend without movements is no missing day.
    expect(readMt940([days[0], ofDay('261106', 105, 9)].join('\n')).problems).toEqual([])
  })

  test('with a duplicate statement is refused', () => {
    const day = statement([':61:261105C5,00NTRFA', ':61:261105D5,00NTRFB'], { closing: 'C261105IDR1000000,00' })
    expect(readMt940(`${day}\n${day}`).problems).toMatchObject([{ code: 'statement_twice' }])
  })

  test('with a line of twenty million letters is refused within seconds', () => {
    const started = performance.now()
    const text = statement([`:86:${'{1:'.repeat(7_000_000)}`], { closing: 'C261105IDR1000000,00' })
    expect(readMt940(text).problems[0]!.code).toBe('statement_line_too_long')
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
