import { codeField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import { text } from '#entities/define/field.ts'

export const faculty = defineEntity({
  slug: 'fakultas',
  table: 'faculties',
  label: { one: { en: 'Faculty', id: 'Fakultas' }, many: { en: 'Faculties', id: 'Fakultas' } },
  titleFields: ['name'],
  defaultSort: 'code',
  scope: { by: 'faculty', field: 'id' },
  fields: {
    code: codeField(10),
    name: nameField(),
    nameEn: text({ label: { en: 'Name in English', id: 'Nama dalam bahasa Inggris' }, max: 120, optional: true }),
    dean: text({ label: { en: 'Dean', id: 'Dekan' }, max: 120, optional: true, list: true }),
  },
})
