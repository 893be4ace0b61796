import { codeField, nameEnField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import {
  choice,
  date,
  dateTime,
  decimal,
  integer,
  multiReference,
  reference,
  text,
  time,
} from '#entities/define/field.ts'

export const test = defineEntity({
  slug: 'list-test',
  table: 'tests',
  label: { one: { en: 'Test', id: 'Tes' }, many: { en: 'Tests', id: 'Tes' } },
  titleFields: ['name'],
  defaultSort: 'code',
  fields: {
    code: codeField(10),
    name: nameField(),
    kind: choice({
      label: { en: 'Kind', id: 'Jenis' },
      list: true,
      filter: true,
      default: 'cbt',
      choices: {
        cbt: { en: 'Computer-based test', id: 'CBT (tes komputer)' },
        interview: { en: 'Interview', id: 'Wawancara' },
        health: { en: 'Health check', id: 'Tes kesehatan' },
        portfolio: { en: 'Portfolio', id: 'Portofolio' },
      },
    }),
    maxScore: decimal({
      label: { en: 'Highest score', id: 'Nilai tertinggi' },
      min: 0,
      max: 1000,
      default: 100,
      list: true,
    }),
    weight: decimal({
      label: { en: 'Weight', id: 'Bobot' },
      help: {
        en: 'Share of the final score compared with the other tests',
        id: 'Bagian dari nilai akhir dibanding tes lain',
      },
      min: 0,
      max: 100,
      default: 1,
      list: true,
    }),
    passingGrade: decimal({
      label: { en: 'Passing grade', id: 'Batas lulus' },
      min: 0,
      max: 1000,
      optional: true,
      list: true,
    }),
    nameEn: nameEnField(),
  },
})

export const testSession = defineEntity({
  slug: 'jadwal-test',
  table: 'test_sessions',
  moduleColumns: {
    seating_rule: 'text',
    seating_seed: 'text',
    seated_at: 'timestamptz',
    cancelled_at: 'timestamptz',
    cancel_reason: 'varchar(500)',
    people_told_at: 'timestamptz',
  },
  constraints: {
    test_sessions_time_told: { field: 'date', code: 'test_session_has_people' },
    test_sessions_place_told: { field: 'location', code: 'test_session_has_people' },
  },
  label: { one: { en: 'Test session', id: 'Jadwal tes' }, many: { en: 'Test sessions', id: 'Jadwal tes' } },
  titleFields: ['name'],
  hintFields: ['date'],
  defaultSort: '-date',
  before: [
    ['startTime', 'endTime'],
    ['bookingOpensAt', 'bookingClosesAt'],
  ],
  fields: {
    waveId: reference({ label: { en: 'Wave', id: 'Periode' }, to: 'periode', list: true, filter: true }),
    trackId: reference({
      label: { en: 'Track', id: 'Jalur' },
      help: { en: 'Empty: for every track with a test', id: 'Kosong: untuk semua jalur yang ada tesnya' },
      to: 'jalur',
      optional: true,
      list: true,
      filter: true,
    }),
    testIds: multiReference({
      label: { en: 'Tests', id: 'Tes' },
      to: 'list-test',
      through: { table: 'test_session_tests', from: 'test_session_id', to: 'test_id' },
      list: true,
    }),
    name: nameField(),
    date: date({ label: { en: 'Date', id: 'Tanggal' }, list: true }),
    startTime: time({ label: { en: 'Starts', id: 'Mulai' }, list: true }),
    endTime: time({ label: { en: 'Ends', id: 'Selesai' }, list: true }),
    mode: choice({
      label: { en: 'Mode', id: 'Pelaksanaan' },
      list: true,
      filter: true,
      default: 'onsite',
      choices: { onsite: { en: 'On site', id: 'Di kampus' }, online: { en: 'Online', id: 'Daring' } },
    }),
    location: text({ label: { en: 'Room or link', id: 'Ruang atau tautan' }, max: 300 }),
    capacity: integer({ label: { en: 'Capacity', id: 'Kapasitas' }, min: 0, max: 100_000, list: true }),
    bookingOpensAt: dateTime({ label: { en: 'Booking opens', id: 'Pemesanan dibuka' }, optional: true }),
    bookingClosesAt: dateTime({ label: { en: 'Booking closes', id: 'Pemesanan ditutup' }, optional: true }),
  },
})
