import { describe, expect, it } from 'vitest'
import { headingsIndex, noFindings, notesOf, tableIn } from './headings.ts'
import type { Cell, SheetLine } from './sheet-reader.ts'

const linesOf = (...rows: Cell[][]): SheetLine[] => rows.map((cells, index) => ({ number: index + 1, cells }))

describe('the heading row', () => {
  it.each<[string, Cell[][], number]>([
    [
      'is the first one',
      [
        ['Nama', 'HP'],
        ['Ani', '0812'],
      ],
      0,
    ],
    ['stands below a title', [['Daftar peserta'], ['Nama', 'HP'], ['Ani', '0812']], 1],
    ['stands below a title of several rows', [['Daftar', ''], ['Tahun 2026'], ['Nama', 'HP'], ['Ani', '0812']], 2],
    [
      'is the first one of a single column, whatever one row has beyond it',
      [['HP'], ['1'], ['2', 'x'], ['3'], ['4']],
      0,
    ],
    ['is the first one of a sheet without rows', [['Nama', 'HP']], 0],
  ])('%s', (_, rows, index) => expect(headingsIndex(linesOf(...rows))).toBe(index))

  it('is the row with the most known headings, if headings are known', () => {
    const known = (cells: readonly Cell[]) => cells.filter((cell) => ['Kode', 'Nama'].includes(String(cell))).length
    const rows = linesOf(['Nama', 'Universitas'], ['per', 'hari'], ['Kode', 'Nama'], ['A', 'Satu'])
    expect(headingsIndex(rows, known)).toBe(2)
    expect(headingsIndex(linesOf(['Judul'], ['X', 'Y'], ['A', 'Satu']), known)).toBe(1)
  })
})

it('blank rows are skipped, remarks above the headings if requested, and hidden rows are counted', async () => {
  const lines = linesOf(['# catatan'], [''], ['Daftar'], ['Kode', 'Nama'], ['#1', 'Satu'], [''], ['2', 'Dua'])
  lines[4]!.isHidden = true
  lines[6]!.isHidden = true
  async function* all() {
    yield* lines
  }
  const findings = noFindings()
  const numbers = []
  for await (const { number } of tableIn(all(), { findings, skipsRemarks: true })) numbers.push(number)
  expect(numbers).toEqual([4, 5, 7])
  expect(notesOf(findings).map(({ row, sentence }) => [row, sentence('id')])).toEqual([
    [4, 'Baris 4 dibaca sebagai judul kolom. Baris di atasnya dilewati.'],
    [5, '2 baris yang disembunyikan di lembar ikut dibaca: baris 5, 7.'],
  ])
})
