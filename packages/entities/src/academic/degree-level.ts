import { codeField, nameEnField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import { integer, text } from '#entities/define/field.ts'

export const degreeLevel = defineEntity({
  slug: 'jenjang',
  table: 'degree_levels',
  label: { one: { en: 'Degree level', id: 'Jenjang' }, many: { en: 'Degree levels', id: 'Jenjang' } },
  titleFields: ['code', 'name'],
  defaultSort: 'sortOrder',
  fields: {
    code: codeField(10),
    name: nameField(60),
    pddiktiCode: text({
      label: { en: 'PDDikti code', id: 'Kode PDDikti' },
      max: 3,
      optional: true,
      list: true,
      searchable: false,
      pattern: { source: '^[0-9]{1,3}$', label: { en: 'One to three digits', id: 'Satu sampai tiga angka' } },
    }),
    sortOrder: integer({ label: { en: 'Order', id: 'Urutan' }, min: 0, max: 999, default: 0, list: true }),
    nameEn: nameEnField(60),
  },
})
