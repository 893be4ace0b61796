import { nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import { choice, code, reference, text } from '#entities/define/field.ts'

const officialCode = (max: number, source: string) =>
  code({
    label: { en: 'Official code', id: 'Kode wilayah' },
    max,
    pattern: {
      source,
      label: { en: 'Official code with dots, such as 35.78', id: 'Kode resmi dengan titik, misalnya 35.78' },
    },
  })

export const province = defineEntity({
  slug: 'provinsi',
  table: 'provinces',
  label: { one: { en: 'Province', id: 'Provinsi' }, many: { en: 'Provinces', id: 'Provinsi' } },
  titleFields: ['name'],
  defaultSort: 'code',
  fields: { code: officialCode(2, '^[0-9]{2}$'), name: nameField(100) },
})

export const city = defineEntity({
  slug: 'kota',
  table: 'cities',
  label: {
    one: { en: 'City or regency', id: 'Kota/kabupaten' },
    many: { en: 'Cities and regencies', id: 'Kota/kabupaten' },
  },
  parent: {
    slug: 'provinsi',
    field: 'provinceId',
    path: 'kota',
    pages: { create: 'create', edit: 'edit-kota/:idKota' },
  },
  titleFields: ['name'],
  hintFields: ['provinceId'],
  defaultSort: 'code',
  large: true,
  fields: {
    provinceId: reference({ label: { en: 'Province', id: 'Provinsi' }, to: 'provinsi' }),
    code: officialCode(5, '^[0-9]{2}\\.[0-9]{2}$'),
    name: nameField(100),
    kind: choice({
      label: { en: 'Kind', id: 'Jenis' },
      list: true,
      filter: true,
      default: 'kabupaten',
      choices: { kota: { en: 'City (kota)', id: 'Kota' }, kabupaten: { en: 'Regency (kabupaten)', id: 'Kabupaten' } },
    }),
  },
})

export const district = defineEntity({
  slug: 'kecamatan',
  table: 'districts',
  label: { one: { en: 'District', id: 'Kecamatan' }, many: { en: 'Districts', id: 'Kecamatan' } },
  parent: {
    slug: 'kota',
    field: 'cityId',
    path: 'kecamatan',
    pages: { create: 'create', edit: 'edit-kecamatan/:idKecamatan' },
  },
  titleFields: ['name'],
  hintFields: ['cityId'],
  defaultSort: 'code',
  large: true,
  fields: {
    cityId: reference({ label: { en: 'City or regency', id: 'Kota/kabupaten' }, to: 'kota' }),
    code: officialCode(8, '^[0-9]{2}\\.[0-9]{2}\\.[0-9]{2}$'),
    name: nameField(100),
  },
})

export const village = defineEntity({
  slug: 'kelurahan',
  table: 'villages',
  label: { one: { en: 'Village', id: 'Kelurahan/desa' }, many: { en: 'Villages', id: 'Kelurahan/desa' } },
  parent: {
    slug: 'kecamatan',
    field: 'districtId',
    path: 'kelurahan',
    pages: { create: 'create', edit: 'edit-kelurahan/:idKelurahan' },
  },
  titleFields: ['name'],
  hintFields: ['districtId'],
  defaultSort: 'code',
  large: true,
  fields: {
    districtId: reference({ label: { en: 'District', id: 'Kecamatan' }, to: 'kecamatan' }),
    code: officialCode(13, '^[0-9]{2}\\.[0-9]{2}\\.[0-9]{2}\\.[0-9]{4}$'),
    name: nameField(100),
    postalCode: text({
      label: { en: 'Postal code', id: 'Kode pos' },
      max: 5,
      optional: true,
      list: true,
      searchable: false,
      pattern: { source: '^[0-9]{5}$', label: { en: 'Five digits', id: 'Lima angka' } },
    }),
  },
})
