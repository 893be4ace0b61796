import { describe, expect, test } from 'vitest'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { fc } from '#testing/properties.ts'
import { csvRecords } from './csv-records.ts'
import { areNear, wordsOf } from './near-words.ts'
import { readStatementRows } from './statement-csv.ts'
import { guessDelimiter, guessMapping } from './statement-guess.ts'
import { namesIn, readAmount, readDay, type StatementProblem } from './statement-values.ts'

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
    ['5.000,50', indonesian, 5_000.5],
    ['31472518.3', english, 31_472_518.3],
    ['100000,35', indonesian, 100_000.35],
    ['1250.0000', { decimal: '.', thousands: '' }, 1_250],
    ['1.250.000,-', indonesian, 1_250_000],
    ['Rp 1.250.000,--', indonesian, 1_250_000],
    ['-1.250.000,-', indonesian, -1_250_000],
  ] as const)('%s is read', (text, signs, amount) => {
    expect(readAmount(text, signs)).toEqual({ amountSen: Math.round(amount * 100) })
  })

  test.each([
    ['1.000', english, 'statement_amount_unreadable'],
    ['1,000', indonesian, 'statement_amount_unreadable'],
    ['10.00', indonesian, 'statement_amount_unreadable'],
    ['1.0000', indonesian, 'statement_amount_unreadable'],
    ['5.000,505', indonesian, 'statement_amount_unreadable'],
    ['1250.0050', english, 'statement_amount_unreadable'],
    ['', indonesian, 'statement_amount_unreadable'],
    ['abc', indonesian, 'statement_amount_unreadable'],
    ['1,2,3', indonesian, 'statement_amount_unreadable'],
    ['999.999.999.999.999', indonesian, 'statement_amount_too_large'],
    ['9999999999999999.99', english, 'statement_amount_too_large'],
  ] as const)(
    '%s with wrong separators or fractions of a rupiah is a problem, never another amount',
    (text, signs, problem) => {
      expect(readAmount(text, signs)).toEqual({ problem })
    },
  )

  test('written in either notation is read unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e13, max: 1e13 }), fc.constantFrom(indonesian, english), (amount, signs) => {
        const digits = String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, signs.thousands)
        expect(readAmount(`${amount < 0 ? '-' : ''}${digits}${signs.decimal}00`, signs)).toEqual({
          amountSen: amount * 100 || 0,
        })
      }),
    )
  })
})

describe('a statement of KlikBCA, whose days have no year', () => {
  const text = (period: string, ...days: string[]) =>
    [
      ...[
        'No. rekening : 0123456789',
        'Nama : UNIVERSITAS CONTOH',
        period,
        '',
        'Tanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo',
      ],
      ...days.map((day, index) => `${day},'TRSF E-BANKING,'0000,100000.00,CR,${index + 1}00000.00`),
      ...[
        '',
        'Saldo Awal,:,0.00',
        `Mutasi Kredit,:,${days.length}00000.00,${days.length}`,
        `Saldo Akhir,:,${days.length}00000.00`,
      ],
    ].join('\r\n')
  function read(file: string) {
    const rows = () => csvRecords(file, ',')
    const { date, description, amount, mark, creditMark, debitMark, balance, ...guess } = guessMapping(rows, ',')
    const header = [...rows()].find(({ number }) => number === guess.headerLine)!.cells
    const mapping = {
      ...{ ...guess, header, date, description, balance },
      amount: { kind: 'marked', column: amount, mark, creditMark, debitMark },
    } as StatementMapping
    const problems: StatementProblem[] = []
    const pending: number[] = []
    const lines = [
      ...readStatementRows(
        rows(),
        mapping,
        '2027-01-31',
        (one) => problems.push(one),
        undefined,
        ({ lineNumber }) => pending.push(lineNumber),
      ),
    ]
    return {
      format: mapping.dateFormat,
      days: lines.map(({ day }) => day),
      problems: problems.map(({ code }) => code),
      pending,
    }
  }

  test.each([
    ['Periode : 01/11/2026 - 28/11/2026', ["'27/11", "'28/11"], ['2026-11-27', '2026-11-28']],
    ['Periode,=,15/12/2026 - 14/01/2027', ["'31/12", "'01/01"], ['2026-12-31', '2027-01-01']],
    ['PERIODE : DESEMBER 2026', ["'01/12", "'31/12"], ['2026-12-01', '2026-12-31']],
  ])('takes the year from its period: %s', (period, days, expected) => {
    expect(read(text(period, ...days))).toEqual({ format: 'dd/mm', days: expected, problems: [], pending: [] })
  })

  test('counts movements not booked yet in its sums, but not as lines', () => {
    const found = read(text('Periode : 01/11/2026 - 28/11/2026', "'27/11", "'28/11", 'PEND'))
    expect(found).toMatchObject({ days: ['2026-11-27', '2026-11-28'], problems: [], pending: [8] })
  })

  test('is refused with days outside its period or without a period', () => {
    const outside = read(text('Periode : 01/11/2026 - 28/11/2026', "'27/11", "'01/12"))
    expect(outside.problems).toEqual(['statement_date_outside_period'])
    expect(read(text('Mata Uang : Rp', "'27/11")).problems).toEqual(['statement_period_missing'])
  })

  test('reports numbers that a spreadsheet has shortened', () => {
    const file = text('Periode : 01/11/2026 - 28/11/2026', "'27/11").replace(
      "'TRSF E-BANKING",
      '3,17E+15'.replace(',', '.'),
    )
    expect(read(file).problems).toEqual(['statement_number_cut'])
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
    ['17 Agt 2026', 'dd mmm yyyy', '2026-08-17'],
    ['17 Ags. 2026', 'dd mmm yyyy', '2026-08-17'],
    ['17 Agustus 2026', 'dd mmm yyyy', '2026-08-17'],
    ['17/AGT/2026', 'dd/mmm/yyyy', '2026-08-17'],
    ['05-Mei-26', 'dd-mmm-yy', '2026-05-05'],
    ['05 Okt 26', 'dd mmm yy', '2026-10-05'],
    ['05 Desember 2026', 'dd mmm yyyy', '2026-12-05'],
    ['05 Peb 2026', 'dd mmm yyyy', '2026-02-05'],
    ['05 Marten 2026', 'dd mmm yyyy', null],
    ['05/11/0203', 'dd/mm/yyyy', null],
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

test('numbers and references are found despite spaces and punctuation', () => {
  const { numbers, references } = namesIn('VA 9900 1000 0000 0017/TRX-778899_A', 'sari')
  expect(numbers).toContain('9900100000000017')
  expect(references).toEqual(expect.arrayContaining(['trx-778899_a', '778899']))
  expect(references).not.toContain('sari')
})

describe('CSV', () => {
  const mapping: StatementMapping = {
    encoding: 'auto',
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
  const readText = (text: string, changes: Partial<StatementMapping> = {}) => {
    const problems: StatementProblem[] = []
    const all = { ...mapping, ...changes }
    const lines = [
      ...readStatementRows(csvRecords(text, all.delimiter), all, '2026-11-30', (one) => problems.push(one)),
    ]
    return { lines, problems }
  }
  const read = (rows: string[][], changes: Partial<StatementMapping> = {}) =>
    readText(
      [['Date', 'Text', 'Amount', 'Kind'], ...rows]
        .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
        .join('\n'),
      changes,
    )
  const codes = (result: ReturnType<typeof read>) => result.problems.map(({ code, line }) => [code, line])

  test('means the same with signs, with two columns and with marks', () => {
    const amounts = (result: ReturnType<typeof read>) => {
      expect(result.problems).toEqual([])
      return result.lines.map(({ amountSen }) => amountSen / 100)
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

  test('reports every problem with its line and reads on', () => {
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

  test('has no lines for empty rows and rows excluded by the mapping', () => {
    const { lines, problems } = read([
      ['', '', '', ''],
      ['01/11/2026', 'A', '5', ''],
      ['Saldo akhir', '', '5', ''],
    ])
    expect([lines.length, problems]).toEqual([1, []])
  })

  test('has balances that follow from each other downwards or upwards', () => {
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

  test('with a changed heading is refused', () => {
    expect(codes(read([['01/11/2026', 'A', '5', '']], { header: ['Date', 'Text', 'Debit', 'Kind'] }))).toEqual([
      ['statement_header_changed', 1],
    ])
  })

  test('with any line ends, even mixed ones, loses no line', () => {
    const rows = ['Date,Text,Amount,Kind', '01/11/2026,A,1,', '01/11/2026,B,2,', '01/11/2026,C,3,', '01/11/2026,D,4,']
    for (const ends of [['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r', '\n']]) {
      const text = rows.map((row, at) => row + ends[at % ends.length]!).join('')
      expect(readText(text)).toMatchObject({ problems: [], lines: [1, 2, 3, 4].map((n) => ({ amountSen: n * 100 })) })
    }
  })

  test('with amounts split at their thousands is a problem, never one rupiah', () => {
    const result = readText('Date,Text,Amount,Kind\n01/11/2026,A,1,250,000.00,\n01/11/2026,B,5,\n01/11/2026,C')
    expect(codes(result)).toEqual([
      ['statement_column_extra', 2],
      ['statement_column_missing', 4],
    ])
  })

  test('with an unclosed quote reports that row and reads the others', () => {
    const result = readText(
      'Date,Text,Amount,Kind\n01/11/2026,"A,1,\n01/11/2026,B,2,\n01/11/2026,"C",3,\n01/11/2026,D,4,',
    )
    expect(codes(result)).toEqual([['statement_quote_open', 2]])
    expect(result.lines.map(({ amountSen }) => amountSen)).toEqual([200, 300, 400])
    const proper = readText('Date,Text,Amount,Kind\n01/11/2026,"A,\nB ""C""",1,\n')
    expect(proper).toMatchObject({ problems: [], lines: [{ description: 'A, B "C"', lineNumber: 2 }] })
  })

  test('with twenty million letters in one line is a problem within seconds', () => {
    const started = performance.now()
    const result = readText(`Date,Text,Amount,Kind\n01/11/2026,${'x'.repeat(20_000_000)}\n01/11/2026,B,5,`)
    expect(codes(result)).toEqual([['statement_line_too_long', 2]])
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('with interest of 30 sen and zero tax is read', () => {
    const result = read([
      ['01/11/2026', 'BUNGA', '31472518.3', ''],
      ['01/11/2026', 'PAJAK BUNGA', '0.00', ''],
      ['01/11/2026', 'SALDO AWAL', '', ''],
    ])
    expect(result).toMatchObject({ problems: [], lines: [{ amountSen: 3_147_251_830 }] })
  })

  test('whose own totals differ from its lines is refused', () => {
    const two = { amount: { kind: 'two', credit: 2, debit: 3 }, skip: ['Total', 'Saldo', 'Mutasi'] } as const
    const rows = [
      ['01/11/2026', 'A', '5,000.00', ''],
      ['02/11/2026', 'B', '', '2,000.00'],
    ]
    const with_ = (...more: string[][]) => codes(read([...rows, ...more], { ...two, skip: [...two.skip] }))
    expect(with_(['Total', '', '5,000.00', '2,000.00'])).toEqual([])
    expect(with_(['Total', '', '5,000.00', '2,500.00'])).toEqual([['statement_total_differs', 4]])
    const balances = (closing: string) => [
      ['Saldo Awal', '=', '1,000.00'],
      ['Saldo Akhir', ':', closing],
    ]
    expect(with_(...balances('4,000.00'))).toEqual([])
    expect(with_(...balances('4,000.01'))).toHaveLength(2)
    expect(with_(['Mutasi Kredit : 5,000.00'])).toEqual([])
    expect(with_(['Mutasi Kredit : 4,999.00'])).toEqual([['statement_total_differs', 4]])
  })

  test('with days more than ten years ago is refused as too old', () => {
    expect(codes(read([['01/11/1926', 'A', '5', '']]))).toEqual([['statement_date_too_old', 2]])
  })
})

describe('a guess', () => {
  const guess = (text: string) => {
    const delimiter = guessDelimiter(text)
    return guessMapping(() => csvRecords(text, delimiter), delimiter)
  }

  test('reads the whole file: a day above twelve or a thousands separator may come late', () => {
    const early = Array.from({ length: 40 }, () => '01/02/2026;SETORAN;1.250')
    const text = ['Rekening;123', 'Tanggal;Keterangan;Jumlah', ...early, '02/13/2026;SETORAN;1,250.50'].join('\n')
    expect(guess(text)).toMatchObject({ delimiter: ';', headerLine: 2, date: 0, dateFormat: 'mm/dd/yyyy', amount: 2 })
    const indonesian = [
      'Tanggal|Uraian|Debet|Kredit|Saldo',
      ...early.map((_, at) => `${(at % 28) + 1} Agt 2026|A, B||1.250.000,50|2,00`),
    ]
    expect(guess(indonesian.join('\r\n'))).toMatchObject({
      delimiter: '|',
      dateFormat: 'dd mmm yyyy',
      kind: 'two',
      credit: 3,
      debit: 2,
      balance: 4,
      decimal: ',',
      thousands: '.',
    })
    expect(
      guess(['Date,Description,Amount,D/C', ...early.map(() => '2026-11-01,A,31472518.3,C')].join('\n')),
    ).toMatchObject({
      kind: 'marked',
      mark: 3,
      creditMark: 'C',
      decimal: '.',
      dateFormat: 'yyyy-mm-dd',
    })
  })

  test.each(['Db/Cr', 'Cr/Db', 'Debit/Credit', 'Debet/Kredit', 'DEBET_KREDIT', 'D/K', 'Kredit/Debet'])(
    'takes a column called %s for marks, not for debits or credits',
    (heading) => {
      const rows = ['27/11/26|PUSAT|123456|TRF SUMIATI|250.000,00|K', '28/11/26|PUSAT|123457|BIAYA|15.000,00|D']
      const found = guess([`Post Date|Branch|Journal No.|Description|Amount|${heading}`, ...rows].join('\r\n'))
      const marks = { kind: 'marked', amount: 4, mark: 5, creditMark: 'K', debitMark: 'D', credit: null, debit: null }
      expect(found).toMatchObject(marks)
    },
  )

  test('finds marks in a column without a heading, and headings with underscores', () => {
    const unnamed = [
      'Tanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo',
      "27/11/2026,TRSF,'0000,250000.00,CR,1250000.00",
    ]
    expect(
      guess([...unnamed, "28/11/2026,BIAYA,'0000,15000.00,DB,1235000.00", 'Saldo Awal,:,1000000.00'].join('\n')),
    ).toMatchObject({ kind: 'marked', amount: 3, mark: 4, creditMark: 'CR', debitMark: 'DB', balance: 5 })
    const underscores = ['TGL_TRAN;DESK_TRAN;MUTASI_DEBET;MUTASI_KREDIT;SALDO_AKHIR', '27/11/2026;TRF;0;250000;1250000']
    expect(guess(underscores.join('\n'))).toMatchObject({ kind: 'two', date: 0, debit: 2, credit: 3, balance: 4 })
  })
})

describe('two lines of the same day and sum', () => {
  const line = (description: string, reference = '') =>
    wordsOf({ day: '2026-11-05', reference, description, raw: description + reference })

  test.each([
    ['TRF SARI', 'TRANSFER DARI SARI WULANDARI', true],
    ['SETORAN 9900100000000017 SARI', 'VA 9900100000000017', true],
    ['REF 123456 SARI WULANDARI', 'BCA778899 SARI WULANDARI', true],
    ['', 'SETORAN TUNAI', true],
    ['VA CREDIT 9900100000000017', 'VA CREDIT 9900100000000025', false],
    ['SARI WULANDARI', 'BUDI SANTOSO', false],
    ['20261105 SARI', '05112026 BUDI', false],
  ])('%s and %s', (one, other, near) => {
    expect(areNear(line(one), line(other))).toBe(near)
  })
})
