import { nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import { code, text } from '#entities/define/field.ts'

/** Regions of the ministry's register (PDDikti Neo Feeder), with codes other than the official ones. */
export const feederRegion = defineEntity({
  slug: 'wilayah-feeder',
  table: 'feeder_regions',
  label: {
    one: { en: 'Feeder region', id: 'Wilayah Neo Feeder' },
    many: { en: 'Feeder regions', id: 'Wilayah Neo Feeder' },
  },
  titleFields: ['name'],
  hintFields: ['code'],
  defaultSort: 'code',
  large: true,
  fields: {
    code: code({
      label: { en: 'id_wilayah', id: 'id_wilayah' },
      help: { en: 'Code of the region in Neo Feeder (GetWilayah)', id: 'Kode wilayah di Neo Feeder (GetWilayah)' },
      max: 8,
      pattern: { source: '^[0-9]{6}$', label: { en: 'Six digits', id: 'Enam angka' } },
    }),
    name: nameField(100),
    regionCode: text({
      label: { en: 'Official code', id: 'Kode wilayah' },
      help: {
        en: 'Code of the province, city or district; students from a district without a row here cannot be sent',
        id: 'Kode provinsi, kota, atau kecamatan; mahasiswa dari kecamatan tanpa baris tidak dapat dikirim',
      },
      max: 8,
      optional: true,
      list: true,
      unique: true,
      pattern: {
        source: '^[0-9]{2}(\\.[0-9]{2}){0,2}$',
        label: { en: 'Official code with dots, such as 35.78.08', id: 'Kode resmi dengan titik, misalnya 35.78.08' },
      },
    }),
  },
})
