import { capitalised, type Localized } from '#entities/define/language.ts'

/** All reports in menu order; permission and page of each are called `laporan-{slug}`. */
export const reportNames = {
  'pendaftaran-prodi': { en: 'registrations per study programme', id: 'pendaftaran per program studi' },
  'total-pendaftaran': { en: 'total registrations', id: 'total pendaftaran' },
  'per-tahun-akademik': { en: 'registrations per academic year', id: 'per tahun akademik' },
  'ukuran-almamater': { en: 'jacket sizes', id: 'ukuran almamater' },
  'kuesioner-mahasiswa': { en: 'student questionnaire', id: 'kuesioner mahasiswa' },
  'berdasarkan-suku': { en: 'registrations per ethnic group', id: 'berdasarkan suku' },
  'wilayah-asal-sekolah': { en: 'regions of schools of origin', id: 'wilayah asal sekolah' },
  'camaba-cbt': { en: 'CBT participants', id: 'camaba CBT' },
  camaba: { en: 'prospective students', id: 'camaba' },
  'hasil-kelulusan': { en: 'selection results', id: 'hasil kelulusan' },
  'hasil-cbt': { en: 'CBT results', id: 'hasil CBT' },
  'pembayaran-mahasiswa': { en: 'student payments', id: 'pembayaran mahasiswa' },
  'status-pendaftaran': { en: 'registration status', id: 'status pendaftaran' },
  'berkas-sim': { en: 'documents and driving licences', id: 'berkas dan SIM' },
  'status-berkas-pendaftaran': { en: 'registration document status', id: 'status berkas pendaftaran' },
  'npm-mahasiswa': { en: 'student numbers', id: 'NPM mahasiswa' },
  'mahasiswa-feeder': { en: 'feeder students', id: 'mahasiswa feeder' },
  'mahasiswa-fix-bayar': { en: 'students with confirmed payment', id: 'mahasiswa fix bayar' },
  'asal-sekolah-fix-bayar': { en: 'schools of origin of confirmed payers', id: 'asal sekolah fix bayar' },
  'pendapatan-prodi': { en: 'income per study programme', id: 'pendapatan per program studi' },
  'pendapatan-detail-prodi': { en: 'income detail per study programme', id: 'pendapatan detail per program studi' },
  'piutang-va': { en: 'virtual account receivables', id: 'piutang VA' },
  'jumlah-pendaftaran': { en: 'number of registrations', id: 'jumlah pendaftaran' },
  'voucher-afiliator': { en: 'affiliate vouchers', id: 'voucher afiliator' },
} as const satisfies Record<string, Localized>

/** Title of a report's page and file, such as `Laporan Hasil CBT`. */
export function reportTitle(slug: ReportSlug): Localized {
  const { en, id } = reportNames[slug]
  const capitals = id.replace(/\b(?!(?:per|dan)\b)\p{Ll}/gu, (letter) => letter.toUpperCase())
  return { en: `${capitalised(en)} report`, id: `Laporan ${capitals}` }
}

export type ReportSlug = keyof typeof reportNames
export const reportSlugs = Object.keys(reportNames) as ReportSlug[]
