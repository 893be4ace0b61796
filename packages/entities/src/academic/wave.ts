import { codeField, nameEnField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import { dateTime, text } from '#entities/define/field.ts'

const twoDigits = (year: number) => String(year).padStart(2, '0')

/** `2000/2001` to `2098/2099`: the second year follows the first. */
const academicYears = Array.from({ length: 99 }, (_, year) => `20${twoDigits(year)}/20${twoDigits(year + 1)}`)

export const wave = defineEntity({
  slug: 'periode',
  table: 'waves',
  label: { one: { en: 'Wave', id: 'Periode' }, many: { en: 'Waves', id: 'Periode' } },
  titleFields: ['name', 'academicYear'],
  hintFields: ['code'],
  defaultSort: '-opensAt',
  before: [
    ['opensAt', 'closesAt'],
    ['opensAt', 'resultsAt'],
    ['resultsAt', 'confirmationDueAt'],
  ],
  fields: {
    code: codeField(10),
    academicYear: text({
      label: { en: 'Academic year', id: 'Tahun akademik' },
      max: 9,
      list: true,
      filter: true,
      pattern: {
        source: `^(${academicYears.join('|')})$`,
        label: { en: 'For example 2026/2027', id: 'Misalnya 2026/2027' },
      },
    }),
    name: nameField(60),
    semesterCode: text({
      label: { en: 'Semester code', id: 'Kode semester' },
      max: 5,
      searchable: false,
      list: true,
      pattern: {
        source: '^20[0-9]{2}[123]$',
        label: {
          en: 'Year and 1 (odd), 2 (even) or 3 (short): 20261',
          id: 'Tahun dan 1 (ganjil), 2 (genap), atau 3 (pendek): 20261',
        },
      },
    }),
    opensAt: dateTime({ label: { en: 'Opens', id: 'Dibuka' }, list: true }),
    closesAt: dateTime({ label: { en: 'Closes', id: 'Ditutup' }, list: true }),
    resultsAt: dateTime({ label: { en: 'Results', id: 'Pengumuman hasil' }, optional: true, list: true }),
    confirmationDueAt: dateTime({
      label: { en: 'Confirmation deadline', id: 'Batas konfirmasi kesediaan' },
      optional: true,
    }),
    nameEn: nameEnField(60),
  },
})
