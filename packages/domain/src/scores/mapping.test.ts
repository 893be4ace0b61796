import { describe, expect, it } from 'vitest'
import { fitsHeaders, guessMapping, mappingProblem, type ScoreMapping, saysAbsent } from './mapping.ts'

const [tpa, english] = [
  { id: '6f1f0f7e-0000-4000-8000-000000000001', code: 'TPA', name: 'Tes Potensi Akademik' },
  { id: '6f1f0f7e-0000-4000-8000-000000000002', code: 'ENG', name: 'Bahasa Inggris' },
]
const score = { header: 'TPA', as: 'score', testId: tpa!.id } as const

describe('a mapping', () => {
  it.each<[string, ScoreMapping, string | null]>([
    ['with code and score is complete', [{ header: 'Kode', as: 'code' }, score], null],
    ['with a test number is complete', [{ header: 'No', as: 'number' }, score], null],
    [
      'with name and birth date is complete',
      [{ header: 'Nama', as: 'name' }, { header: 'Lahir', as: 'birthDate' }, score],
      null,
    ],
    ['with a name alone names nobody', [{ header: 'Nama', as: 'name' }, score], 'no_person_column'],
    ['without a score', [{ header: 'Kode', as: 'code' }], 'no_score_column'],
    ['with a test in two columns', [{ header: 'Kode', as: 'code' }, score, { ...score, header: 'X' }], 'column_twice'],
  ])('%s', (_situation, mapping, problem) => expect(mappingProblem(mapping)).toBe(problem))

  it('is guessed from usual headings and from test codes and names', () =>
    expect(guessMapping(['No.', 'No_Peserta', 'NAMA', 'tpa', 'Bahasa  Inggris', 'Benar'], [tpa!, english!])).toEqual([
      { header: 'No_Peserta', as: 'number' },
      { header: 'NAMA', as: 'name' },
      { header: 'tpa', as: 'score', testId: tpa!.id },
      { header: 'Bahasa  Inggris', as: 'score', testId: english!.id },
    ]))

  it('assigns a column called score to the only test, and to none of several', () => {
    expect(guessMapping(['Kode', 'Skor'], [tpa!]).map(({ as }) => as)).toEqual(['code', 'score'])
    expect(guessMapping(['Kode', 'Skor'], [tpa!, english!]).map(({ as }) => as)).toEqual(['code'])
  })

  it('fits a file that has all its columns, however their headings are written', () => {
    const mapping: ScoreMapping = [{ header: 'No Peserta', as: 'number' }, score]
    expect(fitsHeaders(mapping, ['no_peserta', 'TPA ', 'Lain'])).toBe(true)
    expect(fitsHeaders(mapping, ['no_peserta'])).toBe(false)
  })
})

it.each(['Tidak Hadir', 'absen', 'TH', '0'])('%s means absent', (cell) => expect(saysAbsent(cell)).toBe(true))
it.each(['Hadir', '1', ''])('%s does not', (cell) => expect(saysAbsent(cell)).toBe(false))
