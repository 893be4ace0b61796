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
  description: string
  descriptionEn: string
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
    description: 'Merancang dan membuat perangkat lunak, dari aplikasi HP sampai kecerdasan buatan.',
    descriptionEn: 'Designing and building software, from phone apps to artificial intelligence.',
    faculty: 'FT',
    degree: 'S1',
    semesterFee: 6_500_000,
    capacity: 120,
  },
  {
    code: 'SI',
    name: 'Sistem Informasi',
    nameEn: 'Information Systems',
    description: 'Menghubungkan kebutuhan organisasi dengan sistem dan data yang tepat.',
    descriptionEn: 'Joining what organisations need with the right systems and data.',
    faculty: 'FT',
    degree: 'S1',
    semesterFee: 6_250_000,
    capacity: 120,
  },
  {
    code: 'TS',
    name: 'Teknik Sipil',
    nameEn: 'Civil Engineering',
    description: 'Merancang gedung, jalan, jembatan, dan pengairan yang aman.',
    descriptionEn: 'Designing safe buildings, roads, bridges and waterworks.',
    faculty: 'FT',
    degree: 'S1',
    semesterFee: 6_000_000,
    capacity: 80,
  },
  {
    code: 'TE',
    name: 'Teknik Elektro',
    nameEn: 'Electrical Engineering',
    description: 'Listrik, elektronika, dan energi terbarukan, dengan praktikum sejak semester satu.',
    descriptionEn: 'Power, electronics and renewable energy, with laboratory work from the first semester.',
    faculty: 'FT',
    degree: 'S1',
    semesterFee: 6_000_000,
    capacity: 80,
  },
  {
    code: 'TK',
    name: 'Teknologi Komputer',
    nameEn: 'Computer Technology',
    description: 'Tiga tahun praktik merakit, menjaga, dan mengamankan komputer dan jaringan.',
    descriptionEn: 'Three practical years of building, keeping and securing computers and networks.',
    faculty: 'FT',
    degree: 'D3',
    semesterFee: 4_500_000,
    capacity: 60,
  },
  {
    code: 'MN',
    name: 'Manajemen',
    nameEn: 'Management',
    description: 'Memimpin orang, uang, dan pemasaran di perusahaan atau usaha sendiri.',
    descriptionEn: 'Leading people, money and marketing in a company or your own business.',
    faculty: 'FEB',
    degree: 'S1',
    semesterFee: 5_500_000,
    capacity: 160,
  },
  {
    code: 'AK',
    name: 'Akuntansi',
    nameEn: 'Accounting',
    description: 'Mencatat, memeriksa, dan menjelaskan keuangan perusahaan dan pemerintah.',
    descriptionEn: 'Recording, auditing and explaining the finances of companies and government.',
    faculty: 'FEB',
    degree: 'S1',
    semesterFee: 5_500_000,
    capacity: 120,
  },
  {
    code: 'BD',
    name: 'Bisnis Digital',
    nameEn: 'Digital Business',
    description: 'Membangun usaha di internet: produk, pemasaran, dan data pelanggan.',
    descriptionEn: 'Building a business on the internet: product, marketing and customer data.',
    faculty: 'FEB',
    degree: 'S1',
    semesterFee: 5_750_000,
    capacity: 100,
  },
  {
    code: 'KP',
    name: 'Keperawatan',
    nameEn: 'Nursing',
    description: 'Merawat orang sakit secara profesional, dengan praktik di rumah sakit.',
    descriptionEn: 'Professional care of the sick, with practice in hospitals.',
    faculty: 'FIK',
    degree: 'S1',
    semesterFee: 7_500_000,
    capacity: 80,
  },
  {
    code: 'GZ',
    name: 'Gizi',
    nameEn: 'Nutrition',
    description: 'Ilmu makanan dan kesehatan, dari dapur rumah sakit sampai penyuluhan desa.',
    descriptionEn: 'Food and health, from hospital kitchens to advice in villages.',
    faculty: 'FIK',
    degree: 'S1',
    semesterFee: 6_750_000,
    capacity: 60,
  },
  {
    code: 'RM',
    name: 'Rekam Medis',
    nameEn: 'Medical Records',
    description: 'Tiga tahun mengelola data pasien dan sistem informasi rumah sakit.',
    descriptionEn: 'Three years of managing patient data and hospital information systems.',
    faculty: 'FIK',
    degree: 'D3',
    semesterFee: 5_000_000,
    capacity: 60,
  },
  {
    code: 'IK',
    name: 'Ilmu Komunikasi',
    nameEn: 'Communication Science',
    description: 'Jurnalistik, hubungan masyarakat, dan konten digital.',
    descriptionEn: 'Journalism, public relations and digital content.',
    faculty: 'FISIP',
    degree: 'S1',
    semesterFee: 5_250_000,
    capacity: 120,
  },
  {
    code: 'AP',
    name: 'Administrasi Publik',
    nameEn: 'Public Administration',
    description: 'Melayani masyarakat: kebijakan, anggaran, dan kerja pemerintahan.',
    descriptionEn: 'Serving the public: policy, budgets and the work of government.',
    faculty: 'FISIP',
    degree: 'S1',
    semesterFee: 4_750_000,
    capacity: 100,
  },
  {
    code: 'PB',
    name: 'Pendidikan Bahasa Inggris',
    nameEn: 'English Education',
    description: 'Menjadi guru bahasa Inggris, dengan praktik mengajar di sekolah.',
    descriptionEn: 'Becoming a teacher of English, with practice at schools.',
    faculty: 'FKIP',
    degree: 'S1',
    semesterFee: 4_500_000,
    capacity: 80,
  },
  {
    code: 'PM',
    name: 'Pendidikan Matematika',
    nameEn: 'Mathematics Education',
    description: 'Menjadi guru matematika yang membuat angka mudah dipahami.',
    descriptionEn: 'Becoming a teacher who makes mathematics easy to understand.',
    faculty: 'FKIP',
    degree: 'S1',
    semesterFee: 4_500_000,
    capacity: 80,
  },
  {
    code: 'PG',
    name: 'Pendidikan Guru SD',
    nameEn: 'Primary Teacher Education',
    description: 'Menjadi guru kelas di SD, untuk semua mata pelajaran.',
    descriptionEn: 'Becoming a class teacher at primary school, for all subjects.',
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
      nameEn: 'Intake 1',
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
      nameEn: 'Intake 2',
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
