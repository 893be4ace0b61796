import { codeField, nameEnField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import {
  basisPoints,
  boolean,
  choice,
  date,
  decimal,
  integer,
  money,
  moneyList,
  reference,
  text,
} from '#entities/define/field.ts'

export const feeComponent = defineEntity({
  slug: 'rincian-dana',
  table: 'fee_components',
  label: { one: { en: 'Fee component', id: 'Rincian dana' }, many: { en: 'Fee components', id: 'Rincian dana' } },
  titleFields: ['name'],
  defaultSort: 'allocationPriority',
  fields: {
    code: codeField(20),
    name: nameField(),
    recurrence: choice({
      label: { en: 'Recurrence', id: 'Sifat pembayaran' },
      list: true,
      filter: true,
      default: 'once',
      choices: {
        once: { en: 'Once', id: 'Sekali' },
        per_semester: { en: 'Every semester', id: 'Per semester' },
        monthly: { en: 'Every month', id: 'Per bulan' },
        incidental: { en: 'Incidental', id: 'Insidental' },
      },
    }),
    refundable: boolean({ label: { en: 'Refundable', id: 'Dapat dikembalikan' }, default: false, list: true }),
    allocationPriority: integer({
      label: { en: 'Priority', id: 'Prioritas' },
      help: {
        en: 'Money is allocated to the lowest number first',
        id: 'Pembayaran dialokasikan mulai dari angka terkecil',
      },
      min: 1,
      max: 999,
      default: 100,
      list: true,
    }),
    nameEn: nameEnField(),
    description: text({
      label: { en: 'What it pays for', id: 'Untuk apa' },
      help: { en: 'One sentence, in Indonesian, shown to applicants', id: 'Satu kalimat untuk pendaftar' },
      max: 300,
      optional: true,
      searchable: false,
    }),
    descriptionEn: text({
      label: { en: 'What it pays for, in English', id: 'Untuk apa, dalam bahasa Inggris' },
      max: 300,
      optional: true,
      searchable: false,
    }),
  },
})

/** The most specific row applies: track outranks entry level, entry level outranks class programme. */
export const registrationFee = defineEntity({
  slug: 'biaya-pendaftaran',
  table: 'registration_fees',
  label: {
    one: { en: 'Registration fee', id: 'Biaya pendaftaran' },
    many: { en: 'Registration fees', id: 'Biaya pendaftaran' },
  },
  titleFields: [],
  defaultSort: '-createdAt',
  uniqueTogether: [['waveId', 'trackId', 'entryLevelId', 'classProgrammeId']],
  constraints: { registration_fees_tie: { field: 'waveId', code: 'fee_tie' } },
  fields: {
    waveId: reference({ label: { en: 'Wave', id: 'Periode' }, to: 'periode', list: true, filter: true }),
    trackId: reference({
      label: { en: 'Track', id: 'Jalur' },
      help: {
        en: 'Empty: every track. The most specific row applies.',
        id: 'Kosong: semua jalur. Baris paling khusus yang berlaku.',
      },
      to: 'jalur',
      optional: true,
      list: true,
      filter: true,
    }),
    entryLevelId: reference({
      label: { en: 'Entry level', id: 'Jenjang pendaftaran' },
      to: 'jenjang-pendaftaran',
      optional: true,
      list: true,
      filter: true,
    }),
    classProgrammeId: reference({
      label: { en: 'Class programme', id: 'Program kelas' },
      to: 'program',
      optional: true,
      list: true,
      filter: true,
    }),
    amount: money({ label: { en: 'Amount', id: 'Jumlah' }, list: true }),
  },
})

export const installmentPlan = defineEntity({
  slug: 'cicilan',
  table: 'installment_plans',
  label: { one: { en: 'Instalment plan', id: 'Cicilan' }, many: { en: 'Instalment plans', id: 'Cicilan' } },
  titleFields: ['name'],
  defaultSort: 'code',
  fields: {
    code: codeField(20),
    name: nameField(),
    waveId: reference({
      label: { en: 'Wave', id: 'Periode' },
      help: { en: 'Empty: for every wave', id: 'Kosong: untuk semua periode' },
      to: 'periode',
      optional: true,
      list: true,
      filter: true,
    }),
    nameEn: nameEnField(),
  },
})

/** Fixed amounts are subtracted first; the shares divide the rest and add up to 100 %. */
export const installmentTerm = defineEntity({
  slug: 'cicilan-termin',
  table: 'installment_terms',
  label: { one: { en: 'Term', id: 'Termin' }, many: { en: 'Terms', id: 'Termin' } },
  parent: { slug: 'cicilan', field: 'planId', path: 'termin' },
  permissions: {
    view: 'master-cicilan-view',
    create: 'master-cicilan-update',
    update: 'master-cicilan-update',
    delete: 'master-cicilan-update',
  },
  titleFields: [],
  defaultSort: 'sortOrder',
  uniqueTogether: [['planId', 'sortOrder']],
  constraints: { installment_terms_shares: { field: 'shareBps', code: 'shares_exceed_whole' } },
  oneOf: [
    ['shareBps', 'amount'],
    ['dueDate', 'dueDays'],
  ],
  fields: {
    planId: reference({ label: { en: 'Instalment plan', id: 'Cicilan' }, to: 'cicilan' }),
    sortOrder: integer({ label: { en: 'Number', id: 'Urutan' }, min: 1, max: 60, default: 1, list: true }),
    shareBps: basisPoints({
      label: { en: 'Share', id: 'Bagian' },
      help: { en: 'All shares of the plan add up to 100 %', id: 'Jumlah semua bagian harus 100%' },
      optional: true,
      list: true,
    }),
    amount: money({
      label: { en: 'Fixed amount', id: 'Jumlah tetap' },
      help: { en: 'Instead of a share', id: 'Sebagai ganti bagian' },
      min: 1,
      optional: true,
      list: true,
    }),
    dueDate: date({ label: { en: 'Due date', id: 'Jatuh tempo' }, optional: true, list: true }),
    dueDays: integer({
      label: { en: 'Days after the bill', id: 'Hari setelah tagihan' },
      help: { en: 'Instead of a due date', id: 'Sebagai ganti tanggal jatuh tempo' },
      min: 0,
      max: 3650,
      optional: true,
      list: true,
    }),
  },
})

export const donation = defineEntity({
  slug: 'sumbangan',
  table: 'donations',
  label: { one: { en: 'Donation', id: 'Sumbangan' }, many: { en: 'Donations', id: 'Sumbangan' } },
  titleFields: [],
  defaultSort: '-createdAt',
  uniqueTogether: [['waveId', 'trackId', 'programmeId']],
  constraints: { donations_suggested: { field: 'suggestedAmounts', code: 'suggested_below_minimum' } },
  scope: { by: 'programme', field: 'programmeId' },
  fields: {
    waveId: reference({ label: { en: 'Wave', id: 'Periode' }, to: 'periode', list: true, filter: true }),
    trackId: reference({
      label: { en: 'Track', id: 'Jalur' },
      help: {
        en: 'Empty: every track that asks for a donation',
        id: 'Kosong: semua jalur yang meminta sumbangan',
      },
      to: 'jalur',
      optional: true,
      list: true,
      filter: true,
    }),
    programmeId: reference({
      label: { en: 'Study programme', id: 'Program studi' },
      help: {
        en: 'Empty: every study programme without a row of its own',
        id: 'Kosong: semua program studi tanpa baris sendiri',
      },
      to: 'prodi',
      optional: true,
      list: true,
      filter: true,
    }),
    required: boolean({
      label: { en: 'Required', id: 'Wajib' },
      help: {
        en: 'The applicant must state an amount before submitting',
        id: 'Pendaftar harus mengisi jumlah sebelum mengirim pendaftaran',
      },
      default: false,
      list: true,
    }),
    minimumAmount: money({
      label: { en: 'Minimum', id: 'Jumlah minimum' },
      help: {
        en: 'The lowest amount that is accepted; 0 accepts any',
        id: 'Jumlah terendah yang diterima; 0 berarti berapa pun diterima',
      },
      list: true,
    }),
    suggestedAmounts: moneyList({
      label: { en: 'Suggested amounts', id: 'Jumlah yang disarankan' },
      help: {
        en: 'Offered as buttons, up to ten; each at least the minimum',
        id: 'Ditawarkan sebagai pilihan, paling banyak sepuluh; masing-masing tidak di bawah minimum',
      },
      optional: true,
      list: true,
    }),
  },
})

export const discount = defineEntity({
  slug: 'diskon',
  table: 'discounts',
  label: { one: { en: 'Discount', id: 'Diskon' }, many: { en: 'Discounts', id: 'Diskon' } },
  titleFields: ['name'],
  defaultSort: 'code',
  before: [['validFrom', 'validTo']],
  moduleColumns: { uses: 'integer NOT NULL' },
  constraints: {
    discounts_percent: { field: 'value', code: 'percent_too_high' },
    discounts_whole_rupiah: { field: 'value', code: 'whole_rupiah' },
    discounts_above_nothing: { field: 'value', code: 'above_nothing' },
    discounts_component: { field: 'feeComponentId', code: 'component_of_registration_fee' },
  },
  fields: {
    code: codeField(20),
    name: nameField(),
    kind: choice({
      label: { en: 'Kind', id: 'Jenis' },
      list: true,
      filter: true,
      default: 'percent',
      choices: { percent: { en: 'Percent', id: 'Persen' }, fixed: { en: 'Fixed amount', id: 'Jumlah tetap' } },
    }),
    value: decimal({
      label: { en: 'Value', id: 'Nilai' },
      help: {
        en: 'Percent: above 0, at most 100, two decimals. Fixed amount: whole rupiah',
        id: 'Persen: di atas 0, paling banyak 100, dua desimal. Jumlah tetap: rupiah bulat',
      },
      min: 0,
      max: 1_000_000_000,
      list: true,
    }),
    appliesTo: choice({
      label: { en: 'Applies to', id: 'Berlaku untuk' },
      list: true,
      filter: true,
      default: 'fee_component',
      choices: {
        registration_fee: { en: 'Registration fee', id: 'Biaya pendaftaran' },
        fee_component: { en: 'Fee component', id: 'Rincian dana' },
      },
    }),
    feeComponentId: reference({
      label: { en: 'Fee component', id: 'Rincian dana' },
      help: {
        en: 'Empty: the sum of all components. Not for the registration fee, which has none',
        id: 'Kosong: jumlah semua rincian. Tidak untuk biaya pendaftaran yang tanpa rincian',
      },
      to: 'rincian-dana',
      optional: true,
      list: true,
    }),
    condition: choice({
      label: { en: 'Condition', id: 'Syarat' },
      list: true,
      filter: true,
      default: 'manual',
      choices: {
        manual: { en: 'Given by staff', id: 'Diberikan petugas' },
        early: { en: 'Early payment', id: 'Bayar lebih awal' },
        school_agreement: { en: 'School agreement', id: 'Kerja sama sekolah' },
        sibling: { en: 'Sibling', id: 'Saudara kandung' },
        voucher: { en: 'Voucher', id: 'Voucher' },
      },
    }),
    validFrom: date({
      label: { en: 'Valid from', id: 'Berlaku dari' },
      help: { en: 'First day; empty: at once', id: 'Hari pertama; kosong: langsung berlaku' },
      optional: true,
      list: true,
    }),
    validTo: date({
      label: { en: 'Valid to', id: 'Berlaku sampai' },
      help: { en: 'Last day, until 23.59; empty: no end', id: 'Hari terakhir, sampai 23.59; kosong: tanpa batas' },
      optional: true,
      list: true,
    }),
    maxUses: integer({
      label: { en: 'Maximum uses', id: 'Pemakaian terbanyak' },
      help: {
        en: 'How many registrations may have it in total; empty: any number',
        id: 'Jumlah pendaftaran yang boleh memakainya; kosong: tidak dibatasi',
      },
      min: 1,
      max: 1_000_000,
      optional: true,
    }),
    stackable: boolean({
      label: { en: 'Can be combined', id: 'Dapat digabung' },
      help: {
        en: 'On: with other discounts that allow it too. Off: only alone',
        id: 'Aktif: boleh bersama diskon lain yang juga dapat digabung. Nonaktif: hanya sendiri',
      },
      default: false,
    }),
    nameEn: nameEnField(),
    onPublicPage: boolean({
      label: { en: 'On the public page', id: 'Di halaman publik' },
      help: {
        en: 'Visitors without an account see it when they work out the cost',
        id: 'Pengunjung tanpa akun melihatnya saat menghitung biaya',
      },
      default: false,
    }),
  },
})
