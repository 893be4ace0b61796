import type { DocumentStage } from '#domain/documents/document-status.ts'
import type { MessageEvent } from '#entities/messaging/message-events.ts'

/** Lists an Indonesian university starts with, used for reference data, the demo university and the starting set. */

export const degreeLevels = [
  { code: 'D3', name: 'Diploma tiga', nameEn: 'Associate degree', pddiktiCode: '22', sortOrder: 1 },
  { code: 'D4', name: 'Sarjana terapan', nameEn: 'Applied bachelor', pddiktiCode: '23', sortOrder: 2 },
  { code: 'S1', name: 'Sarjana', nameEn: 'Bachelor', pddiktiCode: '30', sortOrder: 3 },
  { code: 'PROFESI', name: 'Profesi', nameEn: 'Professional', pddiktiCode: '31', sortOrder: 4 },
  { code: 'S2', name: 'Magister', nameEn: 'Master', pddiktiCode: '35', sortOrder: 5 },
  { code: 'S3', name: 'Doktor', nameEn: 'Doctor', pddiktiCode: '40', sortOrder: 6 },
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
  {
    code: 'PAGI',
    name: 'Kelas Pagi',
    description: 'Kuliah Senin sampai Jumat, pagi hingga sore.',
    nameEn: 'Day class',
    descriptionEn: 'Lectures from Monday to Friday, morning to afternoon.',
  },
  {
    code: 'MALAM',
    name: 'Kelas Malam',
    description: 'Kuliah Senin sampai Jumat malam.',
    nameEn: 'Evening class',
    descriptionEn: 'Lectures in the evening, Monday to Friday.',
  },
  {
    code: 'KARYAWAN',
    name: 'Kelas Karyawan',
    description: 'Kuliah akhir pekan bagi yang bekerja.',
    nameEn: 'Employee class',
    descriptionEn: 'Lectures at weekends, for people who work.',
  },
  {
    code: 'INTER',
    name: 'Kelas Internasional',
    description: 'Kuliah dalam bahasa Inggris.',
    nameEn: 'International class',
    descriptionEn: 'Lectures in English.',
  },
] as const

export const tracks = [
  {
    code: 'REG',
    name: 'Reguler',
    nameEn: 'Regular',
    audience: 'Untuk lulusan dan siswa kelas akhir SMA, SMK, MA, atau Paket C yang siap mengikuti tes masuk.',
    audienceEn: 'For graduates and final-year pupils of secondary schools who are ready to take the entrance test.',
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
    nameEn: 'Achievement',
    audience: 'Untuk Anda yang pernah juara lomba, olimpiade, atau olahraga dan punya sertifikatnya.',
    audienceEn: 'For those who won a competition, an olympiad or a sports event and have the certificate.',
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
    nameEn: 'Scholarship',
    audience: 'Untuk Anda yang berprestasi dan berasal dari keluarga kurang mampu, dengan KIP atau SKTM.',
    audienceEn: 'For able pupils from families with low income, with a KIP card or an SKTM letter.',
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
    nameEn: 'Transfer',
    audience: 'Untuk mahasiswa kampus lain yang ingin melanjutkan kuliah di sini.',
    audienceEn: 'For students of other universities who want to continue here.',
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
    nameEn: 'School invitation',
    audience: 'Untuk siswa yang diundang lewat sekolahnya, berdasarkan nilai rapor.',
    audienceEn: 'For pupils invited through their school on their report marks.',
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
  nameEn: string
  required: boolean
  mayDefer: boolean
  tracks?: readonly TrackCode[]
  stage?: DocumentStage
}

/** Documents that applicants upload; every track asks for a document without `tracks`. */
export const trackFiles: readonly StartingFile[] = [
  { name: 'KTP atau Kartu Pelajar', nameEn: 'Identity card or school card', required: true, mayDefer: false },
  { name: 'Kartu Keluarga', nameEn: 'Family card', required: true, mayDefer: false },
  {
    name: 'Ijazah atau Surat Keterangan Lulus',
    nameEn: 'School certificate or proof of graduation',
    required: true,
    mayDefer: true,
  },
  {
    name: 'Rapor semester 1–5',
    nameEn: 'School reports, semesters 1–5',
    required: true,
    mayDefer: false,
    tracks: ['UND'],
  },
  {
    name: 'Sertifikat prestasi',
    nameEn: 'Certificate of achievement',
    required: true,
    mayDefer: false,
    tracks: ['PRES'],
  },
  { name: 'Kartu KIP atau SKTM', nameEn: 'KIP card or SKTM letter', required: true, mayDefer: false, tracks: ['BEA'] },
  {
    name: 'Transkrip nilai asal',
    nameEn: 'Transcript of your present university',
    required: true,
    mayDefer: false,
    tracks: ['PIN'],
  },
  { name: 'Surat rekomendasi sekolah', nameEn: 'Recommendation of your school', required: false, mayDefer: false },
  {
    name: 'Ijazah yang dilegalisir',
    nameEn: 'Certified copy of the school certificate',
    required: true,
    mayDefer: true,
    stage: 'enrolment',
  },
  {
    name: 'Surat Keterangan Lulus yang dilegalisir',
    nameEn: 'Certified proof of graduation',
    required: false,
    mayDefer: false,
    stage: 'enrolment',
  },
  {
    name: 'Kartu Keluarga yang dilegalisir',
    nameEn: 'Certified copy of the family card',
    required: true,
    mayDefer: true,
    stage: 'enrolment',
  },
  { name: 'Akta kelahiran', nameEn: 'Birth certificate', required: true, mayDefer: false, stage: 'enrolment' },
]

/** Accepted types and largest size of each document. */
export const fileLimits = { acceptedTypes: ['pdf', 'jpg', 'png', 'webp'], maxMb: 5 }

export const filesOfTrack = (code: string) =>
  trackFiles.filter((file) => !file.tracks || (file.tracks as readonly string[]).includes(code))

export const tests = [
  {
    code: 'TPA',
    name: 'Tes Potensi Akademik',
    nameEn: 'Academic aptitude test',
    kind: 'cbt',
    maxScore: 100,
    weight: 3,
    passingGrade: 55,
  },
  {
    code: 'WWC',
    name: 'Wawancara',
    nameEn: 'Interview',
    kind: 'interview',
    maxScore: 100,
    weight: 1,
    passingGrade: null,
  },
] as const

export const feeComponents = [
  {
    code: 'HEREG',
    name: 'Heregistrasi',
    nameEn: 'Re-registration',
    description: 'Biaya administrasi untuk terdaftar sebagai mahasiswa.',
    descriptionEn: 'Administration fee for being enrolled as a student.',
    recurrence: 'once',
    refundable: false,
    allocationPriority: 10,
  },
  {
    code: 'SPP',
    name: 'SPP semester',
    nameEn: 'Tuition per semester',
    description: 'Uang kuliah satu semester.',
    descriptionEn: 'Lectures of one semester.',
    recurrence: 'per_semester',
    refundable: true,
    allocationPriority: 20,
  },
  {
    code: 'DPP',
    name: 'Dana pengembangan pendidikan',
    nameEn: 'Development fund',
    description: 'Gedung, laboratorium, dan perpustakaan; sekali selama kuliah.',
    descriptionEn: 'Buildings, laboratories and library; once for the whole course.',
    recurrence: 'once',
    refundable: true,
    allocationPriority: 30,
  },
  {
    code: 'ALMAMATER',
    name: 'Jaket almamater',
    nameEn: 'University jacket',
    description: 'Satu jaket almamater.',
    descriptionEn: 'One university jacket.',
    recurrence: 'once',
    refundable: false,
    allocationPriority: 40,
  },
  {
    code: 'KEMAHASISWAAN',
    name: 'Dana kemahasiswaan',
    nameEn: 'Student activities',
    description: 'Kegiatan dan organisasi mahasiswa.',
    descriptionEn: 'Activities and organisations of students.',
    recurrence: 'per_semester',
    refundable: false,
    allocationPriority: 50,
  },
] as const

type Plan = { code: string; name: string; nameEn: string; terms: readonly { shareBps: number; dueDays: number }[] }

export const installmentPlans: readonly Plan[] = [
  { code: 'LUNAS', name: 'Lunas', nameEn: 'In full', terms: [{ shareBps: 10_000, dueDays: 14 }] },
  {
    code: 'CICIL3',
    name: 'Tiga kali',
    nameEn: 'Three times',
    terms: [
      { shareBps: 5_000, dueDays: 14 },
      { shareBps: 2_500, dueDays: 75 },
      { shareBps: 2_500, dueDays: 135 },
    ],
  },
  {
    code: 'CICIL6',
    name: 'Enam kali',
    nameEn: 'Six times',
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
