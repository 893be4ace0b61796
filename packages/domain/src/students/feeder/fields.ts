import {
  financings,
  parentEducations,
  parentIncomes,
  parentOccupations,
  residences,
  transports,
} from '#domain/students/files/enrolment-data.ts'

/** `demo` is the register built into a demo installation; the others are the two databases of a Neo Feeder. */
export const feederTargets = ['demo', 'sandbox', 'live'] as const
export type FeederTarget = (typeof feederTargets)[number]

/** Possible problems with a value; `unmapped` is a district without a code in the register. */
export const feederProblems = ['missing', 'unmapped', 'not_a_code', 'wrong_length', 'contradicts'] as const
export type FeederProblem = (typeof feederProblems)[number]

/** Where a value can be corrected. */
export const feederPlaces = [
  ...(['profile', 'enrolment', 'own', 'region', 'religion', 'programme', 'track', 'entryLevel'] as const),
  ...(['wave', 'bill', 'number', 'account'] as const),
] as const
export type FeederPlace = (typeof feederPlaces)[number]

export type FeederFieldRule = {
  /** Web service calls that send the field. */
  of: readonly ('biodata' | 'riwayat')[]
  place: FeederPlace
  /** Maximum length of a text, or exact length of an identity number. */
  most?: number
  length?: number
  codes?: readonly string[]
  /** Regular expression a code must match, valid in PostgreSQL and JavaScript. */
  pattern?: string
  /** `always`, or if the condition in the server's SQL holds. */
  required?: 'always' | 'sometimes'
  /** Identity numbers and contacts, masked for readers without permission. */
  personal?: true
  /** Sent as a number. */
  number?: true
}

const biodata = ['biodata'] as const
const riwayat = ['riwayat'] as const
const uuid = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
const day = '^\\d{4}-\\d{2}-\\d{2}$'

const religions = ['1', '2', '3', '4', '5', '6', '99'] as const
const registrationKinds = ['1', '2', '8', '11', '12', '13'] as const
const tracks = ['3', '4', '9', '11', '12', '13', '14', '15'] as const

/** All fields the ministry requires: in its template's order, then the study record's. */
const rules = {
  nim: { of: riwayat, place: 'number', most: 24, required: 'always' },
  nama_mahasiswa: { of: biodata, place: 'profile', most: 100, required: 'always', personal: true },
  jenis_kelamin: { of: biodata, place: 'profile', codes: ['L', 'P'], required: 'always' },
  tempat_lahir: { of: biodata, place: 'profile', most: 32, required: 'always', personal: true },
  tanggal_lahir: { of: biodata, place: 'profile', pattern: day, required: 'always', personal: true },
  id_agama: { of: biodata, place: 'religion', codes: religions, required: 'always' },
  nik: { of: biodata, place: 'profile', length: 16, required: 'always', personal: true },
  nisn: { of: biodata, place: 'profile', length: 10, required: 'always', personal: true },
  kewarganegaraan: { of: biodata, place: 'profile', pattern: '^[A-Z]{2}$', required: 'always' },
  kelurahan: { of: biodata, place: 'profile', most: 60, required: 'always', personal: true },
  id_wilayah: { of: biodata, place: 'region', pattern: '^[0-9]{6}$', required: 'always' },
  penerima_kps: { of: biodata, place: 'enrolment', codes: ['0', '1'], required: 'always' },
  nama_ibu_kandung: { of: biodata, place: 'enrolment', most: 100, required: 'always', personal: true },
  id_jalur_daftar: { of: riwayat, place: 'track', codes: tracks, required: 'always' },
  tanggal_daftar: { of: riwayat, place: 'number', pattern: day, required: 'always' },
  id_pembiayaan: { of: riwayat, place: 'enrolment', codes: financings, required: 'always' },
  biaya_masuk: { of: riwayat, place: 'bill', pattern: '^[0-9]+$', required: 'always', number: true },
  npwp: { of: biodata, place: 'enrolment', length: 15, personal: true },
  jalan: { of: biodata, place: 'profile', most: 80, personal: true },
  dusun: { of: biodata, place: 'enrolment', most: 60, personal: true },
  rt: { of: biodata, place: 'profile', most: 3 },
  rw: { of: biodata, place: 'profile', most: 3 },
  kode_pos: { of: biodata, place: 'profile', length: 5 },
  id_jenis_tinggal: { of: biodata, place: 'enrolment', codes: residences },
  id_alat_transportasi: { of: biodata, place: 'enrolment', codes: transports },
  telepon: { of: biodata, place: 'enrolment', most: 20, personal: true },
  handphone: { of: biodata, place: 'profile', most: 20, personal: true },
  email: { of: biodata, place: 'account', most: 60, personal: true },
  nomor_kps: { of: biodata, place: 'enrolment', most: 80, required: 'sometimes', personal: true },
  nik_ayah: { of: biodata, place: 'enrolment', length: 16, personal: true },
  nama_ayah: { of: biodata, place: 'enrolment', most: 100, personal: true },
  tanggal_lahir_ayah: { of: biodata, place: 'enrolment', pattern: day, personal: true },
  id_pendidikan_ayah: { of: biodata, place: 'enrolment', codes: parentEducations },
  id_pekerjaan_ayah: { of: biodata, place: 'enrolment', codes: parentOccupations },
  id_penghasilan_ayah: { of: biodata, place: 'enrolment', codes: parentIncomes },
  nik_ibu: { of: biodata, place: 'enrolment', length: 16, personal: true },
  tanggal_lahir_ibu: { of: biodata, place: 'enrolment', pattern: day, personal: true },
  id_pendidikan_ibu: { of: biodata, place: 'enrolment', codes: parentEducations },
  id_pekerjaan_ibu: { of: biodata, place: 'enrolment', codes: parentOccupations },
  id_penghasilan_ibu: { of: biodata, place: 'enrolment', codes: parentIncomes },
  nama_wali: { of: biodata, place: 'enrolment', most: 100, personal: true },
  tanggal_lahir_wali: { of: biodata, place: 'enrolment', pattern: day, personal: true },
  id_pendidikan_wali: { of: biodata, place: 'enrolment', codes: parentEducations },
  id_pekerjaan_wali: { of: biodata, place: 'enrolment', codes: parentOccupations },
  id_penghasilan_wali: { of: biodata, place: 'enrolment', codes: parentIncomes },
  id_kebutuhan_khusus_mahasiswa: {
    of: biodata,
    place: 'own',
    pattern: '^[0-9]{1,8}$',
    required: 'always',
    number: true,
  },
  id_kebutuhan_khusus_ayah: { of: biodata, place: 'own', pattern: '^[0-9]{1,8}$', required: 'always', number: true },
  id_kebutuhan_khusus_ibu: { of: biodata, place: 'own', pattern: '^[0-9]{1,8}$', required: 'always', number: true },
  id_jenis_daftar: { of: riwayat, place: 'entryLevel', codes: registrationKinds, required: 'always' },
  id_periode_masuk: { of: riwayat, place: 'wave', pattern: '^\\d{4}[123]$', required: 'always' },
  id_prodi: { of: riwayat, place: 'programme', pattern: uuid, required: 'always' },
  sks_diakui: { of: riwayat, place: 'enrolment', pattern: '^\\d{1,3}$', number: true },
  id_perguruan_tinggi_asal: { of: riwayat, place: 'own', pattern: uuid, required: 'sometimes' },
  id_prodi_asal: { of: riwayat, place: 'own', pattern: uuid, required: 'sometimes' },
} as const satisfies Record<string, FeederFieldRule>

export type FeederField = keyof typeof rules

export const feederFieldRules: Readonly<Record<FeederField, FeederFieldRule>> = rules
export const feederFields = Object.keys(rules) as [FeederField, ...FeederField[]]
