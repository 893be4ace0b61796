import { createHash } from 'node:crypto'
import { universityCalendar } from '#domain/calendar.ts'
import * as startingSet from '#server/modules/opening/starting-lists.ts'

/** Settings of the invented university. */
export const university = {
  universityName: 'Universitas Contoh Nusantara',
  universityShortName: 'UCN',
  address: 'Jalan Percontohan No. 1, Kota Contoh 10000',
  phone: '(021) 555-0170',
  email: 'info@demo.test',
  website: 'https://demo.test',
  signatoryName: 'Dr. Contoh Teladan, M.Si.',
}

/** Makes the same id from the same name each time, so that seeding twice changes nothing. */
export const demoId = (name: string): string => nameToUuid(`demo-${name}`)

/** Makes a UUID in the form of version 4 from a name, equal to `demo_uuid` in helpers.sql. */
export function nameToUuid(name: string): string {
  const hex = createHash('md5').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

export const faculties = [
  { code: 'FT', name: 'Fakultas Teknik Contoh', nameEn: 'Faculty of Engineering (demo)' },
  { code: 'FEB', name: 'Fakultas Ekonomi dan Bisnis Contoh', nameEn: 'Faculty of Economics and Business (demo)' },
  { code: 'FIK', name: 'Fakultas Ilmu Kesehatan Contoh', nameEn: 'Faculty of Health Sciences (demo)' },
  { code: 'FISIP', name: 'Fakultas Ilmu Sosial Contoh', nameEn: 'Faculty of Social Sciences (demo)' },
  { code: 'FKIP', name: 'Fakultas Keguruan Contoh', nameEn: 'Faculty of Education (demo)' },
] as const

type Programme = {
  code: string
  name: string
  nameEn: string
  faculty: string
  degree: 'D3' | 'S1'
  semesterFee: number
  capacity: number
}

export const programmes: readonly Programme[] = [
  {
    code: 'IF',
    name: 'Informatika',
    nameEn: 'Informatics',
    faculty: 'FT',
    degree: 'S1',
    semesterFee: 6_500_000,
    capacity: 120,
  },
  {
    code: 'SI',
    name: 'Sistem Informasi',
    nameEn: 'Information Systems',
    faculty: 'FT',
    degree: 'S1',
    semesterFee: 6_250_000,
    capacity: 120,
  },
  {
    code: 'TS',
    name: 'Teknik Sipil',
    nameEn: 'Civil Engineering',
    faculty: 'FT',
    degree: 'S1',
    semesterFee: 6_000_000,
    capacity: 80,
  },
  {
    code: 'TE',
    name: 'Teknik Elektro',
    nameEn: 'Electrical Engineering',
    faculty: 'FT',
    degree: 'S1',
    semesterFee: 6_000_000,
    capacity: 80,
  },
  {
    code: 'TK',
    name: 'Teknologi Komputer',
    nameEn: 'Computer Technology',
    faculty: 'FT',
    degree: 'D3',
    semesterFee: 4_500_000,
    capacity: 60,
  },
  {
    code: 'MN',
    name: 'Manajemen',
    nameEn: 'Management',
    faculty: 'FEB',
    degree: 'S1',
    semesterFee: 5_500_000,
    capacity: 160,
  },
  {
    code: 'AK',
    name: 'Akuntansi',
    nameEn: 'Accounting',
    faculty: 'FEB',
    degree: 'S1',
    semesterFee: 5_500_000,
    capacity: 120,
  },
  {
    code: 'BD',
    name: 'Bisnis Digital',
    nameEn: 'Digital Business',
    faculty: 'FEB',
    degree: 'S1',
    semesterFee: 5_750_000,
    capacity: 100,
  },
  {
    code: 'KP',
    name: 'Keperawatan',
    nameEn: 'Nursing',
    faculty: 'FIK',
    degree: 'S1',
    semesterFee: 7_500_000,
    capacity: 80,
  },
  { code: 'GZ', name: 'Gizi', nameEn: 'Nutrition', faculty: 'FIK', degree: 'S1', semesterFee: 6_750_000, capacity: 60 },
  {
    code: 'RM',
    name: 'Rekam Medis',
    nameEn: 'Medical Records',
    faculty: 'FIK',
    degree: 'D3',
    semesterFee: 5_000_000,
    capacity: 60,
  },
  {
    code: 'IK',
    name: 'Ilmu Komunikasi',
    nameEn: 'Communication Science',
    faculty: 'FISIP',
    degree: 'S1',
    semesterFee: 5_250_000,
    capacity: 120,
  },
  {
    code: 'AP',
    name: 'Administrasi Publik',
    nameEn: 'Public Administration',
    faculty: 'FISIP',
    degree: 'S1',
    semesterFee: 4_750_000,
    capacity: 100,
  },
  {
    code: 'PB',
    name: 'Pendidikan Bahasa Inggris',
    nameEn: 'English Education',
    faculty: 'FKIP',
    degree: 'S1',
    semesterFee: 4_500_000,
    capacity: 80,
  },
  {
    code: 'PM',
    name: 'Pendidikan Matematika',
    nameEn: 'Mathematics Education',
    faculty: 'FKIP',
    degree: 'S1',
    semesterFee: 4_500_000,
    capacity: 80,
  },
  {
    code: 'PG',
    name: 'Pendidikan Guru SD',
    nameEn: 'Primary Teacher Education',
    faculty: 'FKIP',
    degree: 'S1',
    semesterFee: 4_750_000,
    capacity: 120,
  },
]

const isDemoTrack = ({ code }: { code: string }) => ['REG', 'PRES', 'BEA', 'PIN'].includes(code)
export const tracks = startingSet.tracks.filter(isDemoTrack)

export const classProgrammes = startingSet.classProgrammes.filter(({ code }) => ['PAGI', 'MALAM'].includes(code))

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Two waves around `now`: the first has published its results, the second is open. Days are in the university's time
 * zone.
 */
export function wavesAround(now: Date) {
  const midnight = universityCalendar().startOfDay(universityCalendar().dayOf(now)).getTime()
  const startOf = (days: number) => new Date(midnight + days * dayMs)
  const endOf = (days: number) => new Date(midnight + (days + 1) * dayMs - 60_000)
  const morningOf = (days: number) => new Date(midnight + days * dayMs + 10 * hourMs)
  const year = now.getUTCMonth() >= 7 ? now.getUTCFullYear() + 1 : now.getUTCFullYear()
  const yearFields = { academicYear: `${year}/${year + 1}`, semesterCode: `${year}1` }
  return [
    {
      ...yearFields,
      code: 'G1',
      name: 'Gelombang 1',
      fee: 250_000,
      opensAt: startOf(-100),
      closesAt: endOf(-10),
      paymentDueAt: endOf(-8),
      resultsAt: morningOf(-3),
      confirmationDueAt: endOf(14),
      testOn: morningOf(-6),
    },
    {
      ...yearFields,
      code: 'G2',
      name: 'Gelombang 2',
      fee: 300_000,
      opensAt: startOf(-9),
      closesAt: endOf(60),
      paymentDueAt: endOf(62),
      resultsAt: morningOf(67),
      confirmationDueAt: endOf(81),
      testOn: morningOf(21),
    },
  ] as const
}

export const accounts = [
  { email: 'administrator@demo.test', name: 'Admin Contoh', role: 'Administrator' },
  { email: 'panitia@demo.test', name: 'Panitia Contoh', role: 'Panitia PMB' },
  { email: 'keuangan@demo.test', name: 'Keuangan Contoh', role: 'Keuangan' },
  { email: 'marketing@demo.test', name: 'Marketing Contoh', role: 'Marketing' },
  { email: 'pimpinan@demo.test', name: 'Pimpinan Contoh', role: 'Pimpinan' },
  { email: 'afiliator@demo.test', name: 'Afiliator Contoh', role: 'Afiliator' },
  { email: 'mahasiswa@demo.test', name: 'Calon Mahasiswa Contoh', role: 'Mahasiswa' },
] as const

export const demoPassword = 'Demo-2026!'
