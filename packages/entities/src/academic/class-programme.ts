import { codeField, descriptionEnField, descriptionField, nameEnField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'

export const classProgramme = defineEntity({
  slug: 'program',
  table: 'class_programmes',
  label: { one: { en: 'Class programme', id: 'Program kelas' }, many: { en: 'Class programmes', id: 'Program kelas' } },
  titleFields: ['name'],
  defaultSort: 'code',
  fields: {
    code: codeField(10),
    name: nameField(),
    description: descriptionField(),
    nameEn: nameEnField(),
    descriptionEn: descriptionEnField(),
  },
})
