import type { Entity } from '#entities/define/entity.ts'
import type { Language } from '#entities/define/language.ts'
import { entities } from '#entities/index.ts'

/** Entities a university fills in before opening registration; the workbook has a sheet for each. */
const slugs = new Set([
  'fakultas',
  'jenjang',
  'jenjang-pendaftaran',
  'program',
  'prodi',
  'prodi-detail',
  'uang-kuliah',
  'periode',
  'jalur',
  'jalur-detail',
  'jalur-file',
  'rincian-dana',
  'biaya-pendaftaran',
  'sumbangan',
  'cicilan',
  'cicilan-termin',
  'list-test',
  'jadwal-test',
])

/** Sheets in workbook order: each after the sheets it refers to. */
export const workbookSheets: readonly Entity[] = entities.filter(({ slug }) => slugs.has(slug))

export const sheetNameOf = ({ label }: Entity, language: Language) => label.many[language]

const normalize = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Entity of a sheet, by its name in either language. */
export const findSheetEntity = (name: string) =>
  workbookSheets.find(({ slug, label }) =>
    [slug, label.many.en, label.many.id, label.one.en, label.one.id].some((one) => normalize(one) === normalize(name)),
  )
