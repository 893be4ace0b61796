import { codeField, descriptionEnField, descriptionField, nameEnField, nameField } from '#entities/define/common.ts'
import { defineEntity, nestedPermissions } from '#entities/define/entity.ts'
import { boolean, choice, dateTime, file, integer, multiChoice, reference, text } from '#entities/define/field.ts'

export const track = defineEntity({
  slug: 'jalur',
  table: 'tracks',
  label: { one: { en: 'Track', id: 'Jalur' }, many: { en: 'Tracks', id: 'Jalur' } },
  titleFields: ['name'],
  defaultSort: 'code',
  fields: {
    code: codeField(10),
    name: nameField(),
    kind: choice({
      label: { en: 'Kind', id: 'Jenis' },
      list: true,
      filter: true,
      default: 'regular',
      choices: {
        regular: { en: 'Regular', id: 'Reguler' },
        achievement: { en: 'Achievement', id: 'Prestasi' },
        scholarship: { en: 'Scholarship', id: 'Beasiswa' },
        invitation: { en: 'Invitation', id: 'Undangan' },
        transfer: { en: 'Transfer', id: 'Pindahan' },
      },
    }),
    description: descriptionField(),
    hasTest: boolean({ label: { en: 'Has a test', id: 'Ada tes' }, default: true, list: true }),
    freeOfFee: boolean({
      label: { en: 'No registration fee', id: 'Bebas biaya pendaftaran' },
      default: false,
      list: true,
    }),
    maxChoices: integer({
      label: { en: 'Programme choices', id: 'Jumlah pilihan prodi' },
      min: 1,
      max: 5,
      default: 2,
      list: true,
    }),
    asksDonation: boolean({ label: { en: 'Asks for a donation', id: 'Meminta sumbangan' }, default: false }),
    pddiktiTrackCode: choice({
      label: { en: 'PDDikti track', id: 'Jalur masuk PDDikti' },
      optional: true,
      default: '12',
      choices: {
        '3': { en: 'PMDK (talent scouting)', id: 'Penelusuran Minat dan Kemampuan (PMDK)' },
        '4': { en: 'Achievement', id: 'Prestasi' },
        '9': { en: 'International programme', id: 'Program Internasional' },
        '11': {
          en: 'Agreement with a company or institution',
          id: 'Program Kerja Sama Perusahaan/Institusi/Pemerintah',
        },
        '12': { en: 'Own selection', id: 'Seleksi Mandiri' },
        '13': { en: 'Other joint test', id: 'Ujian Masuk Bersama Lainnya' },
        '14': { en: 'SNBT', id: 'Seleksi Nasional Berdasarkan Tes (SNBT)' },
        '15': { en: 'SNBP', id: 'Seleksi Nasional Berdasarkan Prestasi (SNBP)' },
      },
    }),
    nameEn: nameEnField(),
    descriptionEn: descriptionEnField(),
    audience: text({
      label: { en: 'Who it is for', id: 'Untuk siapa' },
      help: {
        en: 'One sentence for the public page, in Indonesian',
        id: 'Satu kalimat untuk halaman publik',
      },
      max: 300,
      optional: true,
      searchable: false,
    }),
    audienceEn: text({
      label: { en: 'Who it is for, in English', id: 'Untuk siapa, dalam bahasa Inggris' },
      max: 300,
      optional: true,
      searchable: false,
    }),
  },
})

export const trackDetail = defineEntity({
  slug: 'jalur-detail',
  table: 'track_details',
  label: { one: { en: 'Track window', id: 'Detail jalur' }, many: { en: 'Track windows', id: 'Detail jalur' } },
  parent: {
    slug: 'jalur',
    field: 'trackId',
    path: 'detail',
    pages: { create: 'create', edit: 'edit/:idDetail' },
  },
  permissions: nestedPermissions('jalur', 'jalur-detail'),
  titleFields: [],
  defaultSort: '-opensAt',
  uniqueTogether: [['trackId', 'waveId', 'entryLevelId']],
  before: [
    ['opensAt', 'closesAt'],
    ['opensAt', 'paymentDueAt'],
    ['opensAt', 'resultsAt'],
    ['resultsAt', 'confirmationDueAt'],
  ],
  fields: {
    trackId: reference({ label: { en: 'Track', id: 'Jalur' }, to: 'jalur' }),
    waveId: reference({ label: { en: 'Wave', id: 'Periode' }, to: 'periode', list: true, filter: true }),
    entryLevelId: reference({
      label: { en: 'Entry level', id: 'Jenjang pendaftaran' },
      to: 'jenjang-pendaftaran',
      list: true,
      filter: true,
    }),
    opensAt: dateTime({ label: { en: 'Opens', id: 'Dibuka' }, list: true }),
    closesAt: dateTime({ label: { en: 'Closes', id: 'Ditutup' }, list: true }),
    paymentDueAt: dateTime({ label: { en: 'Payment deadline', id: 'Batas pembayaran' }, optional: true }),
    resultsAt: dateTime({ label: { en: 'Results', id: 'Pengumuman hasil' }, optional: true }),
    confirmationDueAt: dateTime({
      label: { en: 'Confirmation deadline', id: 'Batas konfirmasi kesediaan' },
      optional: true,
    }),
    quota: integer({ label: { en: 'Quota', id: 'Kuota' }, min: 0, max: 100_000, optional: true, list: true }),
  },
})

export const trackFile = defineEntity({
  slug: 'jalur-file',
  table: 'track_files',
  label: {
    one: { en: 'Document asked for', id: 'Berkas jalur' },
    many: { en: 'Documents asked for', id: 'Berkas jalur' },
  },
  parent: {
    slug: 'jalur',
    field: 'trackId',
    path: 'file',
    pages: { create: 'create-jalur-file', edit: 'edit-jalur-file/:idDetail' },
  },
  permissions: nestedPermissions('jalur', 'jalur-file'),
  titleFields: ['name'],
  defaultSort: 'sortOrder',
  uniqueTogether: [['trackId', 'name']],
  fields: {
    trackId: reference({ label: { en: 'Track', id: 'Jalur' }, to: 'jalur' }),
    name: nameField(),
    stage: choice({
      label: { en: 'Asked for', id: 'Diminta saat' },
      list: true,
      filter: true,
      default: 'registration',
      choices: {
        registration: { en: 'To register', id: 'Pendaftaran' },
        enrolment: { en: 'To enrol, once the place is confirmed', id: 'Daftar ulang, setelah konfirmasi' },
      },
    }),
    required: boolean({ label: { en: 'Required', id: 'Wajib' }, default: true, list: true }),
    acceptedTypes: multiChoice({
      label: { en: 'Accepted types', id: 'Jenis berkas' },
      list: true,
      default: ['pdf', 'jpg', 'png'],
      choices: {
        pdf: { en: 'PDF', id: 'PDF' },
        jpg: { en: 'JPEG', id: 'JPEG' },
        png: { en: 'PNG', id: 'PNG' },
        webp: { en: 'WebP', id: 'WebP' },
      },
    }),
    maxMb: integer({
      label: { en: 'Largest size (MB)', id: 'Ukuran terbesar (MB)' },
      min: 1,
      max: 20,
      default: 5,
      list: true,
    }),
    templateFileId: file({
      label: { en: 'Template to fill in', id: 'Contoh untuk diisi' },
      optional: true,
      accept: 'document',
      maxMb: 5,
    }),
    mayDefer: boolean({ label: { en: 'Can be sent later', id: 'Boleh menyusul' }, default: false, list: true }),
    sortOrder: integer({ label: { en: 'Order', id: 'Urutan' }, min: 0, max: 999, default: 0 }),
    nameEn: nameEnField(),
  },
})
