import type { DocumentStage } from '#domain/documents/document-status.ts'
import type { MessageEvent } from '#entities/messaging/message-events.ts'

/** Lists an Indonesian university starts with, used for reference data, the demo university and the starting set. */

export const degreeLevels = [
  { code: 'D3', name: 'Diploma tiga', pddiktiCode: '22', sortOrder: 1 },
  { code: 'D4', name: 'Sarjana terapan', pddiktiCode: '23', sortOrder: 2 },
  { code: 'S1', name: 'Sarjana', pddiktiCode: '30', sortOrder: 3 },
  { code: 'PROFESI', name: 'Profesi', pddiktiCode: '31', sortOrder: 4 },
  { code: 'S2', name: 'Magister', pddiktiCode: '35', sortOrder: 5 },
  { code: 'S3', name: 'Doktor', pddiktiCode: '40', sortOrder: 6 },
] as const

export const entryLevels = [
  { code: 'BARU', name: 'Mahasiswa baru', degree: 'S1', minimumEducation: 'sma', pddiktiRegistrationKind: '1' },
  { code: 'BARU-D3', name: 'Mahasiswa baru D3', degree: 'D3', minimumEducation: 'sma', pddiktiRegistrationKind: '1' },
  { code: 'BARU-D4', name: 'Mahasiswa baru D4', degree: 'D4', minimumEducation: 'sma', pddiktiRegistrationKind: '1' },
  { code: 'ALIH', name: 'Alih jenjang D3 ke S1', degree: 'S1', minimumEducation: 'd3', pddiktiRegistrationKind: '11' },
  { code: 'PINDAHAN', name: 'Pindahan', degree: 'S1', minimumEducation: 'sma', pddiktiRegistrationKind: '2' },
  { code: 'PROFESI', name: 'Profesi', degree: 'PROFESI', minimumEducation: 's1', pddiktiRegistrationKind: '1' },
  { code: 'MAGISTER', name: 'Magister (S2)', degree: 'S2', minimumEducation: 's1', pddiktiRegistrationKind: '1' },
  { code: 'DOKTOR', name: 'Doktor (S3)', degree: 'S3', minimumEducation: 's2', pddiktiRegistrationKind: '1' },
] as const

export const classProgrammes = [
  { code: 'PAGI', name: 'Kelas Pagi', description: 'Kuliah Senin sampai Jumat, pagi hingga sore.' },
  { code: 'MALAM', name: 'Kelas Malam', description: 'Kuliah Senin sampai Jumat malam.' },
  { code: 'KARYAWAN', name: 'Kelas Karyawan', description: 'Kuliah akhir pekan bagi yang bekerja.' },
  { code: 'INTER', name: 'Kelas Internasional', description: 'Kuliah dalam bahasa Inggris.' },
] as const

export const tracks = [
  {
    code: 'REG',
    name: 'Reguler',
    kind: 'regular',
    hasTest: true,
    freeOfFee: false,
    maxChoices: 2,
    asksDonation: true,
    pddiktiTrackCode: '12',
  },
  {
    code: 'PRES',
    name: 'Prestasi',
    kind: 'achievement',
    hasTest: false,
    freeOfFee: false,
    maxChoices: 3,
    asksDonation: false,
    pddiktiTrackCode: '4',
  },
  {
    code: 'BEA',
    name: 'Beasiswa',
    kind: 'scholarship',
    hasTest: true,
    freeOfFee: true,
    maxChoices: 2,
    asksDonation: false,
    pddiktiTrackCode: '12',
  },
  {
    code: 'PIN',
    name: 'Pindahan',
    kind: 'transfer',
    hasTest: false,
    freeOfFee: false,
    maxChoices: 1,
    asksDonation: false,
    pddiktiTrackCode: '12',
  },
  {
    code: 'UND',
    name: 'Undangan sekolah',
    kind: 'invitation',
    hasTest: false,
    freeOfFee: true,
    maxChoices: 2,
    asksDonation: false,
    pddiktiTrackCode: '3',
  },
] as const

type TrackCode = (typeof tracks)[number]['code']
type StartingFile = {
  name: string
  required: boolean
  mayDefer: boolean
  tracks?: readonly TrackCode[]
  stage?: DocumentStage
}

/** Documents that applicants upload; every track asks for a document without `tracks`. */
export const trackFiles: readonly StartingFile[] = [
  { name: 'KTP atau Kartu Pelajar', required: true, mayDefer: false },
  { name: 'Kartu Keluarga', required: true, mayDefer: false },
  { name: 'Ijazah atau Surat Keterangan Lulus', required: true, mayDefer: true },
  { name: 'Rapor semester 1–5', required: true, mayDefer: false, tracks: ['UND'] },
  { name: 'Sertifikat prestasi', required: true, mayDefer: false, tracks: ['PRES'] },
  { name: 'Kartu KIP atau SKTM', required: true, mayDefer: false, tracks: ['BEA'] },
  { name: 'Transkrip nilai asal', required: true, mayDefer: false, tracks: ['PIN'] },
  { name: 'Surat rekomendasi sekolah', required: false, mayDefer: false },
  { name: 'Ijazah yang dilegalisir', required: true, mayDefer: true, stage: 'enrolment' },
  { name: 'Surat Keterangan Lulus yang dilegalisir', required: false, mayDefer: false, stage: 'enrolment' },
  { name: 'Kartu Keluarga yang dilegalisir', required: true, mayDefer: true, stage: 'enrolment' },
  { name: 'Akta kelahiran', required: true, mayDefer: false, stage: 'enrolment' },
]

/** Accepted types and largest size of each document. */
export const fileLimits = { acceptedTypes: ['pdf', 'jpg', 'png', 'webp'], maxMb: 5 }

export const filesOfTrack = (code: string) =>
  trackFiles.filter((file) => !file.tracks || (file.tracks as readonly string[]).includes(code))

export const tests = [
  { code: 'TPA', name: 'Tes Potensi Akademik', kind: 'cbt', maxScore: 100, weight: 3, passingGrade: 55 },
  { code: 'WWC', name: 'Wawancara', kind: 'interview', maxScore: 100, weight: 1, passingGrade: null },
] as const

export const feeComponents = [
  { code: 'HEREG', name: 'Heregistrasi', recurrence: 'once', refundable: false, allocationPriority: 10 },
  { code: 'SPP', name: 'SPP semester', recurrence: 'per_semester', refundable: true, allocationPriority: 20 },
  { code: 'DPP', name: 'Dana pengembangan pendidikan', recurrence: 'once', refundable: true, allocationPriority: 30 },
  { code: 'ALMAMATER', name: 'Jaket almamater', recurrence: 'once', refundable: false, allocationPriority: 40 },
  {
    code: 'KEMAHASISWAAN',
    name: 'Dana kemahasiswaan',
    recurrence: 'per_semester',
    refundable: false,
    allocationPriority: 50,
  },
] as const

type Plan = { code: string; name: string; terms: readonly { shareBps: number; dueDays: number }[] }

export const installmentPlans: readonly Plan[] = [
  { code: 'LUNAS', name: 'Lunas', terms: [{ shareBps: 10_000, dueDays: 14 }] },
  {
    code: 'CICIL3',
    name: 'Tiga kali',
    terms: [
      { shareBps: 5_000, dueDays: 14 },
      { shareBps: 2_500, dueDays: 75 },
      { shareBps: 2_500, dueDays: 135 },
    ],
  },
  {
    code: 'CICIL6',
    name: 'Enam kali',
    terms: [
      { shareBps: 2_500, dueDays: 14 },
      ...[45, 75, 105, 135, 165].map((dueDays) => ({ shareBps: 1_500, dueDays })),
    ],
  },
]

/** Mails an applicant receives, whose built-in texts the university may reword. */
export const templateEvents = [
  'account-welcome',
  'registration-submitted',
  'payment-received',
  'payment-reminder',
  'document-rejected',
  'registration-verified',
  'test-booked',
  'registration-accepted',
  'registration-not-accepted',
  'registration-confirmed',
  'student-number-issued',
] as const satisfies readonly MessageEvent[]
