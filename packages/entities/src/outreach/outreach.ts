import { codeField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import {
  boolean,
  choice,
  date,
  email,
  file,
  integer,
  multiline,
  phone,
  reference,
  text,
} from '#entities/define/field.ts'

export const affiliate = defineEntity({
  slug: 'afiliator',
  table: 'affiliates',
  label: { one: { en: 'Affiliate', id: 'Afiliator' }, many: { en: 'Affiliates', id: 'Afiliator' } },
  titleFields: ['name'],
  defaultSort: 'name',
  moduleColumns: { account_id: 'uuid', slug: 'varchar(60)', counted_since: 'timestamptz' },
  fields: {
    code: codeField(20),
    name: nameField(),
    kind: choice({
      label: { en: 'Kind', id: 'Jenis' },
      list: true,
      filter: true,
      default: 'alumni',
      choices: {
        alumni: { en: 'Alumnus', id: 'Alumni' },
        teacher: { en: 'Teacher', id: 'Guru' },
        student: { en: 'Student', id: 'Mahasiswa' },
        partner: { en: 'Partner', id: 'Mitra' },
        staff: { en: 'Staff', id: 'Pegawai' },
      },
    }),
    phone: phone({ label: { en: 'Phone', id: 'Nomor telepon' }, list: true, sensitive: true }),
    email: email({ label: { en: 'E-mail', id: 'E-mail' }, optional: true, list: true }),
    bankName: text({
      label: { en: 'Bank', id: 'Bank' },
      section: { en: 'Payout', id: 'Pencairan' },
      max: 60,
      optional: true,
      searchable: false,
    }),
    bankAccount: text({
      label: { en: 'Account number', id: 'Nomor rekening' },
      section: { en: 'Payout', id: 'Pencairan' },
      max: 30,
      optional: true,
      sensitive: true,
      searchable: false,
      pattern: { source: '^[0-9 -]{5,30}$', label: { en: 'Digits', id: 'Angka' } },
    }),
    bankHolder: text({
      label: { en: 'Account holder', id: 'Nama pemilik rekening' },
      section: { en: 'Payout', id: 'Pencairan' },
      max: 100,
      optional: true,
      searchable: false,
    }),
    photoFileId: file({
      label: { en: 'Photo', id: 'Foto' },
      section: { en: 'Public page', id: 'Halaman publik' },
      accept: 'image',
      maxMb: 5,
      optional: true,
    }),
    biography: multiline({
      label: { en: 'Biography', id: 'Profil singkat' },
      section: { en: 'Public page', id: 'Halaman publik' },
      max: 2000,
      optional: true,
    }),
    public: boolean({
      label: { en: 'Shown publicly', id: 'Ditampilkan di halaman publik' },
      section: { en: 'Public page', id: 'Halaman publik' },
      default: false,
      list: true,
      filter: true,
    }),
  },
})

export const schoolAgreement = defineEntity({
  slug: 'sma-mou',
  table: 'school_agreements',
  label: {
    one: { en: 'School agreement', id: 'MoU sekolah' },
    many: { en: 'School agreements', id: 'MoU sekolah' },
  },
  titleFields: ['number', 'title'],
  defaultSort: '-validTo',
  moduleColumns: { uses: 'integer NOT NULL' },
  before: [['validFrom', 'validTo']],
  fields: {
    schoolId: reference({ label: { en: 'School', id: 'Sekolah' }, to: 'sma-nama', list: true, filter: true }),
    number: text({ label: { en: 'Number', id: 'Nomor' }, max: 60, unique: true, list: true }),
    title: text({ label: { en: 'Title', id: 'Judul' }, max: 200, list: true }),
    validFrom: date({ label: { en: 'Valid from', id: 'Berlaku dari' }, optional: true, list: true }),
    validTo: date({ label: { en: 'Valid to', id: 'Berlaku sampai' }, list: true }),
    discountId: reference({ label: { en: 'Discount', id: 'Diskon' }, to: 'diskon', optional: true, list: true }),
    quota: integer({ label: { en: 'Quota', id: 'Kuota' }, min: 1, max: 100_000, optional: true }),
    contact: text({ label: { en: 'Contact', id: 'Narahubung' }, max: 200, optional: true, searchable: false }),
    documentFileId: file({ label: { en: 'Document', id: 'Dokumen' }, accept: 'document', maxMb: 10, optional: true }),
  },
})
