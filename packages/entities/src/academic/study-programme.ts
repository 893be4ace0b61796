import { codeField, descriptionEnField, descriptionField, nameField } from '#entities/define/common.ts'
import { defineEntity, nestedPermissions } from '#entities/define/entity.ts'
import { boolean, choice, decimal, integer, money, reference, text } from '#entities/define/field.ts'

export const studyProgramme = defineEntity({
  slug: 'prodi',
  table: 'study_programmes',
  label: { one: { en: 'Study programme', id: 'Program studi' }, many: { en: 'Study programmes', id: 'Program studi' } },
  titleFields: ['name'],
  hintFields: ['code', 'degreeLevelId'],
  defaultSort: 'code',
  scope: { by: 'programme', field: 'id' },
  fields: {
    code: codeField(10),
    name: nameField(),
    nameEn: text({ label: { en: 'Name in English', id: 'Nama dalam bahasa Inggris' }, max: 120, optional: true }),
    facultyId: reference({ label: { en: 'Faculty', id: 'Fakultas' }, to: 'fakultas', list: true, filter: true }),
    degreeLevelId: reference({ label: { en: 'Degree level', id: 'Jenjang' }, to: 'jenjang', list: true, filter: true }),
    accreditation: choice({
      label: { en: 'Accreditation', id: 'Akreditasi' },
      optional: true,
      list: true,
      filter: true,
      choices: {
        unggul: { en: 'Excellent (Unggul)', id: 'Unggul' },
        baik_sekali: { en: 'Very good (Baik Sekali)', id: 'Baik Sekali' },
        baik: { en: 'Good (Baik)', id: 'Baik' },
        a: { en: 'A', id: 'A' },
        b: { en: 'B', id: 'B' },
        c: { en: 'C', id: 'C' },
        provisional: { en: 'Provisional', id: 'Terakreditasi sementara' },
      },
    }),
    npmCode: text({
      label: { en: 'NPM code', id: 'Kode NPM' },
      help: { en: 'How the programme appears in student numbers', id: 'Kode prodi di dalam NPM' },
      max: 10,
      list: true,
      searchable: false,
      pattern: {
        source: '^[A-Za-z0-9.]{1,10}$',
        label: { en: 'Letters, digits and dots', id: 'Huruf, angka, dan titik' },
      },
    }),
    pddiktiId: text({
      label: { en: 'PDDikti id', id: 'ID PDDikti' },
      max: 36,
      optional: true,
      searchable: false,
    }),
    description: descriptionField(),
    descriptionEn: descriptionEnField(),
  },
})

export const programmeDetail = defineEntity({
  slug: 'prodi-detail',
  table: 'programme_details',
  moduleColumns: { over_offer: 'integer NOT NULL' },
  label: {
    one: { en: 'Class offered', id: 'Detail prodi' },
    many: { en: 'Classes offered', id: 'Detail prodi' },
  },
  parent: {
    slug: 'prodi',
    field: 'programmeId',
    path: 'detail',
    pages: { create: 'create', edit: 'edit/:idDetail' },
  },
  permissions: nestedPermissions('prodi', 'prodi-detail'),
  scope: { by: 'programme', field: 'programmeId' },
  titleFields: [],
  defaultSort: '-createdAt',
  uniqueTogether: [['programmeId', 'waveId', 'classProgrammeId', 'entryLevelId']],
  fields: {
    programmeId: reference({ label: { en: 'Study programme', id: 'Program studi' }, to: 'prodi' }),
    waveId: reference({ label: { en: 'Wave', id: 'Periode' }, to: 'periode', list: true, filter: true }),
    classProgrammeId: reference({
      label: { en: 'Class programme', id: 'Program kelas' },
      to: 'program',
      list: true,
      filter: true,
    }),
    entryLevelId: reference({
      label: { en: 'Entry level', id: 'Jenjang pendaftaran' },
      to: 'jenjang-pendaftaran',
      list: true,
      filter: true,
    }),
    capacity: integer({ label: { en: 'Capacity', id: 'Daya tampung' }, min: 0, max: 100_000, list: true }),
    passingGrade: decimal({
      label: { en: 'Passing grade', id: 'Batas lulus' },
      min: 0,
      max: 1000,
      optional: true,
      list: true,
    }),
    open: boolean({
      label: { en: 'Open for registration', id: 'Dibuka untuk pendaftaran' },
      default: true,
      list: true,
    }),
  },
})

export const tuitionFee = defineEntity({
  slug: 'uang-kuliah',
  table: 'tuition_fees',
  label: { one: { en: 'Tuition fee', id: 'Uang kuliah' }, many: { en: 'Tuition fees', id: 'Uang kuliah' } },
  parent: {
    slug: 'prodi',
    field: 'programmeId',
    path: 'uang-kuliah',
    pages: { create: 'create-uang-kuliah', edit: 'edit-uang-kuliah/:idDetail' },
  },
  permissions: nestedPermissions('prodi', 'uang-kuliah'),
  scope: { by: 'programme', field: 'programmeId' },
  titleFields: [],
  defaultSort: '-createdAt',
  uniqueTogether: [['programmeId', 'waveId', 'classProgrammeId', 'trackId', 'feeComponentId']],
  fields: {
    programmeId: reference({ label: { en: 'Study programme', id: 'Program studi' }, to: 'prodi' }),
    waveId: reference({ label: { en: 'Wave', id: 'Periode' }, to: 'periode', list: true, filter: true }),
    classProgrammeId: reference({
      label: { en: 'Class programme', id: 'Program kelas' },
      to: 'program',
      list: true,
      filter: true,
    }),
    trackId: reference({
      label: { en: 'Track', id: 'Jalur' },
      help: {
        en: 'Empty: for every track without a row of its own',
        id: 'Kosong: berlaku untuk semua jalur tanpa baris sendiri',
      },
      to: 'jalur',
      optional: true,
      list: true,
      filter: true,
    }),
    feeComponentId: reference({
      label: { en: 'Fee component', id: 'Rincian dana' },
      to: 'rincian-dana',
      list: true,
      filter: true,
    }),
    amount: money({ label: { en: 'Amount', id: 'Jumlah' }, list: true }),
    installmentsAllowed: boolean({
      label: { en: 'May be paid in instalments', id: 'Boleh dicicil' },
      default: true,
      list: true,
    }),
  },
})
