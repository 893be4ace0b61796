import { codeField, nameField } from '#entities/define/common.ts'
import { defineEntity, nestedPermissions } from '#entities/define/entity.ts'
import { boolean, choice, code, multiline, reference, text } from '#entities/define/field.ts'

export const religion = defineEntity({
  slug: 'agama',
  table: 'religions',
  label: { one: { en: 'Religion', id: 'Agama' }, many: { en: 'Religions', id: 'Agama' } },
  titleFields: ['name'],
  defaultSort: 'code',
  fields: {
    code: code({
      label: { en: 'PDDikti code', id: 'Kode PDDikti' },
      max: 3,
      pattern: { source: '^[0-9]{1,3}$', label: { en: 'One to three digits', id: 'Satu sampai tiga angka' } },
    }),
    name: nameField(60),
  },
})

export const ethnicGroup = defineEntity({
  slug: 'suku',
  table: 'ethnic_groups',
  label: { one: { en: 'Ethnic group', id: 'Suku' }, many: { en: 'Ethnic groups', id: 'Suku' } },
  titleFields: ['name'],
  defaultSort: 'name',
  fields: { name: text({ label: { en: 'Name', id: 'Nama' }, max: 80, list: true, unique: true }) },
})

export const schoolType = defineEntity({
  slug: 'sma',
  table: 'school_types',
  label: { one: { en: 'School type', id: 'Jenis sekolah' }, many: { en: 'School types', id: 'Jenis sekolah' } },
  titleFields: ['name'],
  defaultSort: 'code',
  fields: { code: codeField(20), name: nameField(80) },
})

export const schoolMajor = defineEntity({
  slug: 'sma-jurusan',
  table: 'school_majors',
  label: { one: { en: 'School major', id: 'Jurusan sekolah' }, many: { en: 'School majors', id: 'Jurusan sekolah' } },
  parent: {
    slug: 'sma',
    field: 'schoolTypeId',
    path: 'jurusan',
    pages: { create: 'create', edit: 'edit/:idJurusan' },
  },
  permissions: nestedPermissions('sma', 'sma-jurusan'),
  titleFields: ['name'],
  defaultSort: 'name',
  uniqueTogether: [['schoolTypeId', 'name']],
  fields: {
    schoolTypeId: reference({ label: { en: 'School type', id: 'Jenis sekolah' }, to: 'sma' }),
    name: nameField(),
  },
})

export const school = defineEntity({
  slug: 'sma-nama',
  table: 'schools',
  label: { one: { en: 'School', id: 'Sekolah' }, many: { en: 'Schools', id: 'Sekolah' } },
  titleFields: ['name'],
  hintFields: ['npsn', 'cityId'],
  defaultSort: 'name',
  large: true,
  moduleColumns: { proposed_by: 'uuid' },
  fields: {
    npsn: code({
      label: { en: 'NPSN', id: 'NPSN' },
      help: {
        en: 'Eight characters; a provisional one begins with NP',
        id: 'Delapan karakter; yang sementara diawali NP',
      },
      max: 8,
      pattern: {
        source: '^([0-9A-Z][0-9]{7}|NP[0-9]{6})$',
        label: { en: 'Eight characters, or NP and six digits', id: 'Delapan karakter, atau NP dan enam angka' },
      },
    }),
    name: nameField(150),
    schoolTypeId: reference({ label: { en: 'School type', id: 'Jenis sekolah' }, to: 'sma', list: true, filter: true }),
    status: choice({
      label: { en: 'Ownership', id: 'Status sekolah' },
      list: true,
      filter: true,
      default: 'negeri',
      choices: { negeri: { en: 'State (negeri)', id: 'Negeri' }, swasta: { en: 'Private (swasta)', id: 'Swasta' } },
    }),
    cityId: reference({ label: { en: 'City or regency', id: 'Kota/kabupaten' }, to: 'kota', list: true, filter: true }),
    districtId: reference({
      label: { en: 'District', id: 'Kecamatan' },
      to: 'kecamatan',
      within: 'cityId',
      optional: true,
    }),
    address: multiline({ label: { en: 'Address', id: 'Alamat' }, max: 300, optional: true }),
    verified: boolean({
      label: { en: 'Verified', id: 'Terverifikasi' },
      help: {
        en: 'Schools proposed by applicants wait here for a check',
        id: 'Sekolah usulan pendaftar menunggu pemeriksaan di sini',
      },
      default: true,
      list: true,
      filter: true,
    }),
  },
})
