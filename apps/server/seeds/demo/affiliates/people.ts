import type { AffiliateKind } from '#domain/affiliates/affiliates.ts'

type DemoAffiliate = {
  code: string
  name: string
  kind: AffiliateKind
  biography: string | null
  slug: string | null
  public: boolean
  counted: boolean
  /** Null if the affiliate has no bank account, so nothing can be paid out. */
  bank: string | null
  /** Share of the referred registrations, relative to the other affiliates' weights. */
  weight: number
  voucher?: true
}

const about = (text: string) => `${text} Tanya saja, saya senang membantu.`

/** A dozen invented affiliates of every kind. */
export const demoAffiliates: readonly DemoAffiliate[] = [
  {
    code: 'CONTOH26',
    name: 'Afiliator Contoh',
    kind: 'alumni',
    biography: about('Alumni Informatika 2021, kini bekerja di perusahaan perangkat lunak.'),
    slug: 'afiliator-contoh',
    public: true,
    counted: true,
    bank: 'Bank Contoh',
    weight: 6,
    voucher: true,
  },
  {
    code: 'SARI26',
    name: 'Sari Percontohan',
    kind: 'alumni',
    biography: about('Alumni Manajemen 2019.'),
    slug: 'sari-percontohan',
    public: true,
    counted: true,
    bank: 'Bank Contoh',
    weight: 4,
    voucher: true,
  },
  {
    code: 'HADI26',
    name: 'Hadi Teladan',
    kind: 'alumni',
    biography: about('Alumni Teknik Sipil 2018.'),
    slug: null,
    public: true,
    counted: false,
    bank: 'Bank Peraga',
    weight: 3,
    voucher: true,
  },
  {
    code: 'GURU-A',
    name: 'Bu Indah Peraga',
    kind: 'teacher',
    biography: about('Guru BK di SMA Percontohan 1.'),
    slug: 'bu-indah',
    public: true,
    counted: true,
    bank: 'Bank Peraga',
    weight: 5,
    voucher: true,
  },
  {
    code: 'GURU-B',
    name: 'Pak Joko Rekaan',
    kind: 'teacher',
    biography: about('Guru matematika dan wali kelas XII.'),
    slug: null,
    public: true,
    counted: true,
    bank: 'Bank Contoh',
    weight: 3,
    voucher: true,
  },
  {
    code: 'GURU-C',
    name: 'Bu Kartika Umpama',
    kind: 'teacher',
    biography: null,
    slug: null,
    public: false,
    counted: false,
    bank: null,
    weight: 1,
  },
  {
    code: 'MHS-01',
    name: 'Nanda Khayali',
    kind: 'student',
    biography: about('Mahasiswa Akuntansi semester 5, pengurus himpunan.'),
    slug: 'nanda',
    public: true,
    counted: true,
    bank: 'Bank Contoh',
    weight: 4,
    voucher: true,
  },
  {
    code: 'MHS-02',
    name: 'Putri Misalnya',
    kind: 'student',
    biography: about('Mahasiswa Sistem Informasi semester 3.'),
    slug: null,
    public: true,
    counted: false,
    bank: 'Bank Contoh',
    weight: 3,
    voucher: true,
  },
  {
    code: 'MHS-03',
    name: 'Teguh Simulasi',
    kind: 'student',
    biography: null,
    slug: null,
    public: true,
    counted: true,
    bank: 'Bank Peraga',
    weight: 2,
    voucher: true,
  },
  {
    code: 'MITRA-1',
    name: 'Bimbel Cerdas Contoh',
    kind: 'partner',
    biography: about('Lembaga bimbingan belajar di lima kota.'),
    slug: 'bimbel-cerdas',
    public: true,
    counted: true,
    bank: 'Bank Contoh',
    weight: 5,
    voucher: true,
  },
  {
    code: 'MITRA-2',
    name: 'Komunitas Koding Demo',
    kind: 'partner',
    biography: about('Komunitas belajar koding untuk pelajar.'),
    slug: null,
    public: false,
    counted: false,
    bank: null,
    weight: 2,
    voucher: true,
  },
  {
    code: 'PEG-01',
    name: 'Wahyu Uji',
    kind: 'staff',
    biography: null,
    slug: null,
    public: false,
    counted: false,
    bank: 'Bank Contoh',
    weight: 1,
  },
]

/** Commission per step in the demo; university staff earn none. */
export const demoRules = [
  { kind: 'alumni', stage: 'submitted', amount: 25_000, shareBps: null, onClose: 'refunds' },
  { kind: 'alumni', stage: 'enrolled', amount: 250_000, shareBps: null, onClose: 'all' },
  { kind: 'teacher', stage: 'paid', amount: null, shareBps: 1_000, onClose: 'refunds' },
  { kind: 'teacher', stage: 'enrolled', amount: 200_000, shareBps: null, onClose: 'all' },
  { kind: 'student', stage: 'enrolled', amount: 200_000, shareBps: null, onClose: 'refunds' },
  { kind: 'partner', stage: 'enrolled', amount: null, shareBps: 150, onClose: 'refunds' },
] as const
