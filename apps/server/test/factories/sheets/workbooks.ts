import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { WorkbookRecord } from '#domain/workbook/endpoints.ts'
import { xlsxOf } from '#server/platform/sheets/xlsx-writer.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

type Value = string | number
/** Rows of a sheet, headings first. */
export type Sheets = Record<string, Value[][]>

/** A workbook with these sheets, as a user's own program might write it: every cell is text or a number. */
export function bookOf(sheets: Sheets): Promise<Buffer> {
  const parts = Object.entries(sheets).map(([name, [headings = [], ...rows]]) => ({
    name,
    columns: headings.map((label, index) => ({ key: String(index), label: String(label), kind: 'text' as const })),
    rows: each(rows.map((cells) => ({ ...cells }) as Record<string, unknown>)),
  }))
  return buffer(xlsxOf(parts, 'Asia/Jakarta'))
}

async function* each<T>(rows: readonly T[]) {
  yield* rows
}

const faculties = ['FT', 'FEB', 'FIK', 'FISIP', 'FKIP']
const waves = ['W1', 'W2']
const classes = ['PAGI', 'MALAM']
const components = ['HEREG', 'SPP', 'DPP', 'ALMAMATER']

/** A university with 5 faculties, two waves and two classes, ready to open. */
export function aUniversity(programmeCount = 40): Sheets {
  const programmes = Array.from({ length: programmeCount }, (_, index) => `P${index + 1}`)
  const offers = programmes.flatMap((programme) =>
    waves.flatMap((wave) => classes.map((classProgramme) => [programme, wave, classProgramme])),
  )
  return {
    Fakultas: [['Kode', 'Nama'], ...faculties.map((code) => [code, `Fakultas ${code}`])],
    'Jenjang pendaftaran': [
      ['Kode', 'Nama', 'Kode jenjang'],
      ['BARU', 'Sarjana baru', 'S1'],
    ],
    'Program studi': [
      ['Kode', 'Nama', 'Kode fakultas', 'Kode jenjang', 'Kode NPM'],
      ...programmes.map((code, index) => [
        code,
        `Prodi ${index + 1}`,
        faculties[index % 5]!,
        'S1',
        String(100 + index),
      ]),
    ],
    Periode: [
      ['Kode', 'Tahun akademik', 'Nama', 'Kode semester', 'Dibuka', 'Ditutup'],
      ['W1', '2027/2028', 'Gelombang 1', '20271', '2027-01-04 08:00', '31 Maret 2027 23.59'],
      ['W2', '2027/2028', 'Gelombang 2', '20271', '2027-04-01 08:00', '30/06/2027 23:59'],
    ],
    Jalur: [
      ['Kode', 'Nama', 'Jenis', 'Ada tes'],
      ['REG', 'Reguler', 'Reguler', 'ya'],
      ['PRES', 'Prestasi', 'Prestasi', 'tidak'],
    ],
    'Detail prodi': [
      ['Kode program studi', 'Kode periode', 'Kode program kelas', 'Kode jenjang pendaftaran', 'Daya tampung'],
      ...offers.map((offer) => [...offer, 'BARU', 80]),
    ],
    'Uang kuliah': [
      ['Kode program studi', 'Kode periode', 'Kode program kelas', 'Kode rincian dana', 'Jumlah'],
      ...offers.flatMap((offer) => components.map((component, index) => [...offer, component, 1_000_000 + index])),
    ],
    'Detail jalur': [
      ['Kode jalur', 'Kode periode', 'Kode jenjang pendaftaran', 'Dibuka', 'Ditutup'],
      ...['REG', 'PRES'].flatMap((track) =>
        waves.map((wave) => [track, wave, 'BARU', '2027-01-04 08:00', '2027-06-30 23:59']),
      ),
    ],
    'Berkas jalur': [
      ['Kode jalur', 'Nama', 'Wajib', 'Jenis berkas'],
      ['REG', 'Kartu Keluarga', 'ya', 'PDF; JPEG'],
      ['PRES', 'Sertifikat', 'ya', 'PDF'],
    ],
    Tes: [
      ['Kode', 'Nama', 'Jenis'],
      ['TPA', 'Tes Potensi Akademik', 'Wawancara'],
      ['WWC', 'Wawancara', 'Wawancara'],
    ],
    'Jadwal tes': [
      ['Kode periode', 'Tes', 'Nama', 'Tanggal', 'Mulai', 'Selesai', 'Ruang atau tautan', 'Kapasitas'],
      ['W1', 'TPA; WWC', 'Sesi 1', '2027-04-05', '08:00', '10:00', 'Ruang 1', 100],
    ],
    'Biaya pendaftaran': [
      ['Kode periode', 'Jumlah'],
      ['W1', 'Rp 250.000'],
      ['W2', 300_000],
    ],
    Cicilan: [
      ['Kode', 'Nama'],
      ['DUA', 'Dua kali'],
    ],
    Termin: [
      ['Kode cicilan', 'Urutan', 'Bagian', 'Hari setelah tagihan'],
      ['DUA', 1, '60%', 14],
      ['DUA', 2, '40%', 90],
    ],
    Sumbangan: [
      ['Kode periode', 'Kode jalur', 'Jumlah minimum'],
      ['W1', 'REG', 0],
    ],
  }
}

/** Uploads workbooks and waits for their check, run or undo. */
export function workbooks(t: TestApp, staff: TestActor) {
  const read = async (id: string): Promise<WorkbookRecord> => (await staff.get(`/workbook/imports/${id}`)).json().data
  async function check(bytes: Buffer, name = 'universitas.xlsx') {
    const answer = await staff.upload('/workbook/imports', { name, type: 'application/octet-stream', bytes })
    expect(answer.statusCode, answer.body).toBe(201)
    await t.runJobs()
    return read(answer.json().data.id)
  }
  async function write(id: string) {
    const { statusCode } = await staff.post(`/workbook/imports/${id}/run`)
    await t.runJobs()
    return { statusCode, record: await read(id) }
  }
  return {
    read,
    check,
    write,
    async import(bytes: Buffer) {
      const { id } = await check(bytes)
      return (await write(id)).record
    },
    async problems(id: string, language = 'en') {
      const answer = await staff.get(`/workbook/imports/${id}/problems?per_page=200`, { 'accept-language': language })
      return answer.json().data as {
        sheet: string
        row: number | null
        letter: string | null
        header: string | null
        value: string | null
        reason: string
      }[]
    },
    undo: (id: string) => staff.delete(`/workbook/imports/${id}`),
    previewUndo: async (id: string) => (await staff.get(`/workbook/imports/${id}/undo`)).json().data,
  }
}
