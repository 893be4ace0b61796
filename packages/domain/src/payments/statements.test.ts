import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMt940 } from './mt940.ts'
import { readStatementRows, type StatementMapping } from './statement-csv.ts'
import { namesIn, readAmount, readDay, withOccurrences } from './statement-lines.ts'

const indonesian = { decimal: ',', thousands: '.' } as const
const english = { decimal: '.', thousands: ',' } as const

describe('an amount', () => {
  test.each([
    ['1.000.000,00', indonesian, 1_000_000],
    ['Rp 1.000.000', indonesian, 1_000_000],
    ['-Rp5.000,00', indonesian, -5_000],
    ['1,000,000.00', english, 1_000_000],
    ['2,500.00 DB', english, -2_500],
    ['2,500.00 CR', english, 2_500],
    ['(5000)', english, -5_000],
    ['5.000-', indonesian, -5_000],
    ['+5000', indonesian, 5_000],
    ['0,00', indonesian, 0],
  ] as const)('%s is read', (text, signs, amount) => {
    expect(readAmount(text, signs)).toEqual({ amount })
  })

  test.each([
    ['1.000', english, 'statement_amount_unreadable'],
    ['1,000', indonesian, 'statement_amount_unreadable'],
    ['10.00', indonesian, 'statement_amount_unreadable'],
    ['1.0000', indonesian, 'statement_amount_unreadable'],
    ['5.000,50', indonesian, 'statement_amount_fraction'],
    ['', indonesian, 'statement_amount_unreadable'],
    ['abc', indonesian, 'statement_amount_unreadable'],
    ['1,2,3', indonesian, 'statement_amount_unreadable'],
    ['999.999.999.999.999', indonesian, 'statement_amount_too_large'],
  ] as const)(
    '%s with the wrong signs or no whole rupiah is a problem, never another amount',
    (text, signs, problem) => {
      expect(readAmount(text, signs)).toEqual({ problem })
    },
  )

  test('written in either way comes back as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e13, max: 1e13 }), fc.constantFrom(indonesian, english), (amount, signs) => {
        const digits = String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, signs.thousands)
        expect(readAmount(`${amount < 0 ? '-' : ''}${digits}${signs.decimal}00`, signs)).toEqual({
          amount: amount || 0,
        })
      }),
    )
  })
})

describe('a day', () => {
  test.each([
    ['05/11/2026', 'dd/mm/yyyy', '2026-11-05'],
    ['5/11/2026 13:45:00', 'dd/mm/yyyy', '2026-11-05'],
    ['2026-11-05T10:00:00', 'yyyy-mm-dd', '2026-11-05'],
    ['05/11/26', 'dd/mm/yy', '2026-11-05'],
    ['11/05/2026', 'mm/dd/yyyy', '2026-11-05'],
    ['05 Nov 2026', 'dd mmm yyyy', '2026-11-05'],
    ['05 Nopember 2026', 'dd mmm yyyy', '2026-11-05'],
    ['17-Agu-2026', 'dd-mmm-yyyy', '2026-08-17'],
    ['20261105', 'yyyymmdd', '2026-11-05'],
    ["'05/11/2026", 'dd/mm/yyyy', '2026-11-05'],
    ['31/02/2026', 'dd/mm/yyyy', null],
    ['05-11-2026', 'dd/mm/yyyy', null],
    ['05/13/2026', 'dd/mm/yyyy', null],
    ['Total', 'dd/mm/yyyy', null],
  ] as const)('%s as %s', (text, format, day) => {
    expect(readDay(text, format)).toBe(day)
  })
})

test('numbers and references are found however a bank breaks them', () => {
  const { numbers, references } = namesIn('VA 9900 1000 0000 0017/TRX-778899_A', 'sari')
  expect(numbers).toContain('9900100000000017')
  expect(references).toEqual(expect.arrayContaining(['trx-778899_a', '778899']))
  expect(references).not.toContain('sari')
})

test('equal lines of a day are told apart by their order alone', () => {
  const line = { day: '2026-11-05', amount: 5, reference: '', description: 'A' }
  const counted = withOccurrences([line, { ...line, description: 'B' }, line, { ...line, day: '2026-11-06' }])
  expect(counted.map(({ occurrence }) => occurrence)).toEqual([1, 1, 2, 1])
})

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
      closingBalance: 1_190_000,
    })
    expect(statements[0]!.lines).toMatchObject([
      {
        day: '2026-11-05',
        amount: 250_000,
        reference: 'BCA778899',
        description: 'SETORAN 9900100000000017 SARI WULANDARI',
        reversal: false,
        lineNumber: 5,
      },
      { amount: -15_000, reference: 'BIAYA', description: 'ADM BULANAN' },
      { amount: -50_000, reference: 'KOREKSI1', description: 'SALAH KREDIT', reversal: true },
      { amount: 5_000, reference: '', reversal: true },
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

  test('a number that fills a line goes on in the next one', () => {
    const long = 'X'.repeat(57)
    const text = statement([':61:261105C5,00NTRFNONREF', `:86:${long}99001000`, '00000017 SARI'], {
      closing: 'C261105IDR1000005,00',
    })
    expect(readMt940(text).statements[0]!.lines[0]!.description).toContain('9900100000000017')
  })

  test('information in numbered parts is read without its numbers', () => {
    const text = statement([':61:261105C5,00NTRFNONREF', ':86:166?00TRANSFER?20SETORAN UANG?32SARI'], {
      closing: 'C261105IDR1000005,00',
    })
    expect(readMt940(text).statements[0]!.lines[0]!.description).toBe('TRANSFER SETORAN UANG SARI')
  })

  test('a letter of the currency behind the mark is no part of it', () => {
    const text = statement([':61:2611051105CR5000,00NTRFNONREF'], { closing: 'C261105IDR1005000,00' })
    expect(readMt940(text)).toMatchObject({
      problems: [],
      statements: [{ lines: [{ amount: 5_000, reversal: false }] }],
    })
  })

  test('at the turn of a year the booking day belongs to its own year', () => {
    const one = statement([':61:2701011231C5,00NTRFNONREF'], { closing: 'C261231IDR1000005,00' })
    const other = statement([':61:2612310101C5,00NTRFNONREF'], { closing: 'C270101IDR1000005,00' })
    expect(readMt940(one).statements[0]!.lines[0]!.day).toBe('2026-12-31')
    expect(readMt940(other).statements[0]!.lines[0]!.day).toBe('2027-01-01')
  })

  test('several statements in one file, and a day without lines, are read', () => {
    const empty = statement([], { opening: 'C261106IDR1190000,00', closing: 'C261106IDR1190000,00' })
    const { statements, problems } = readMt940(`${plain}\n${empty}`)
    expect(problems).toEqual([])
    expect(statements.map(({ closingDay, lines }) => [closingDay, lines.length])).toEqual([
      ['2026-11-05', 4],
      ['2026-11-06', 0],
    ])
  })

  test.each([
    ['a rupiah and a half', plain.replace('C250000,00', 'C250000,50'), 'statement_amount_fraction'],
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

  test('whatever was written is read again, line for line', () => {
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
          read.statements[0]!.lines.map(({ amount, reference, description }) => [amount, reference, description]),
        ).toEqual(
          lines.map(({ amount, out, reference, text: said }) => [out ? -amount : amount, reference, `${said} X`]),
        )
      }),
    )
  })
})

describe('CSV', () => {
  const mapping: StatementMapping = {
    delimiter: ',',
    headerLine: 1,
    header: ['Date', 'Text', 'Amount', 'Kind'],
    date: 0,
    dateFormat: 'dd/mm/yyyy',
    description: [1],
    reference: null,
    amount: { kind: 'signed', column: 2 },
    balance: null,
    decimal: '.',
    thousands: ',',
    skip: ['Saldo'],
  }
  const read = (rows: string[][], changes: Partial<StatementMapping> = {}) =>
    readStatementRows(
      [['Date', 'Text', 'Amount', 'Kind'], ...rows].map((cells, at) => ({
        number: at + 1,
        cells,
        raw: cells.join(','),
      })),
      { ...mapping, ...changes },
      '2026-11-30',
    )
  const codes = (result: ReturnType<typeof read>) => result.problems.map(({ code, line }) => [code, line])

  test('with a sign, with two columns, and with a mark means the same', () => {
    const amounts = (result: ReturnType<typeof read>) => {
      expect(result.problems).toEqual([])
      return result.lines.map(({ amount }) => amount)
    }
    expect(
      amounts(
        read([
          ['01/11/2026', 'A', '5,000.00', ''],
          ['01/11/2026', 'B', '-2,000.00', ''],
        ]),
      ),
    ).toEqual([5_000, -2_000])
    expect(
      amounts(
        read(
          [
            ['01/11/2026', 'A', '5,000.00', ''],
            ['01/11/2026', 'B', '', '2,000.00'],
          ],
          { amount: { kind: 'two', credit: 2, debit: 3 } },
        ),
      ),
    ).toEqual([5_000, -2_000])
    expect(
      amounts(
        read(
          [
            ['01/11/2026', 'A', '5,000.00', 'cr'],
            ['01/11/2026', 'B', '2,000.00', 'DB'],
          ],
          {
            amount: { kind: 'marked', column: 2, mark: 3, creditMark: 'CR', debitMark: 'DB' },
          },
        ),
      ),
    ).toEqual([5_000, -2_000])
  })

  test('tells every problem with its line and reads on', () => {
    const result = read([
      ['2026-11-01', 'A', '5', ''],
      ['01/11/2026', 'A', 'x', ''],
      ['01/12/2026', 'A', '5', ''],
      ['01/11/2026', 'A', '', ''],
      ['01/11/2026'],
      ['01/11/2026', 'A', '5', ''],
    ])
    expect(codes(result)).toEqual([
      ['statement_date_unreadable', 2],
      ['statement_amount_unreadable', 3],
      ['statement_date_in_future', 4],
      ['statement_amount_missing', 5],
      ['statement_column_missing', 6],
    ])
  })

  test('empty lines and those the mapping leaves out are no transfers', () => {
    const { lines, problems } = read([
      ['', '', '', ''],
      ['01/11/2026', 'A', '5', ''],
      ['Saldo akhir', '', '5', ''],
    ])
    expect([lines.length, problems]).toEqual([1, []])
  })

  test('balances must follow from each other, from the top or from the bottom', () => {
    const balance = { balance: 3 }
    const rows = [
      ['01/11/2026', 'A', '5', '5'],
      ['01/11/2026', 'B', '-2', '3'],
      ['01/11/2026', 'C', '7', '10'],
    ]
    expect(codes(read(rows, balance))).toEqual([])
    expect(codes(read(rows.toReversed(), balance))).toEqual([])
    expect(codes(read([rows[0]!, ['01/11/2026', 'B', '2', '3'], rows[2]!], balance))).toEqual([
      ['statement_balance_differs', 3],
    ])
  })

  test('a heading that is no longer there is found out', () => {
    expect(codes(read([['01/11/2026', 'A', '5', '']], { header: ['Date', 'Text', 'Debit', 'Kind'] }))).toEqual([
      ['statement_header_changed', 1],
    ])
  })
})
