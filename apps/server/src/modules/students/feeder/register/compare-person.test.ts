import { expect, test } from 'vitest'
import { comparePerson } from './compare-person.ts'

const person = { nik: '3578015705070001', name: 'Siti Aminah', birthDate: '2007-05-17', motherName: "Nur 'Aini" }
const record = {
  id_mahasiswa: '2f0c6a4e-0000-4000-8000-000000000001',
  nik: person.nik,
  nama_mahasiswa: 'SITI  AMINAH',
  tanggal_lahir: '17-05-2007',
  nama_ibu_kandung: "NUR 'AINI",
}
const kindOf = (changes: object) => comparePerson(person, { ...record, ...changes }).kind

test('the same person is found despite other spelling of letters and dates, and without a known mother', () => {
  expect(comparePerson(person, record)).toEqual({ kind: 'same', feederStudentId: record.id_mahasiswa })
  expect(kindOf({ tanggal_lahir: '2007-05-17', nama_ibu_kandung: null })).toBe('same')
})

test('an equal NIK alone is never the same person', () => {
  expect(kindOf({ nama_mahasiswa: 'Budi' })).toBe('contradicts')
  expect(kindOf({ tanggal_lahir: '2007-05-18' })).toBe('contradicts')
  expect(kindOf({ nama_ibu_kandung: 'Dewi' })).toBe('contradicts')
})

test('a namesake with the same birthday is another person unless the mother agrees or the register has no NIK', () => {
  expect(kindOf({ nik: '3578015705070002', nama_ibu_kandung: 'Dewi' })).toBe('other')
  expect(kindOf({ nik: '3578015705070002', nama_ibu_kandung: '' })).toBe('other')
  expect(kindOf({ nik: '3578015705070002' })).toBe('contradicts')
  expect(kindOf({ nik: '', nama_ibu_kandung: '' })).toBe('contradicts')
  expect(kindOf({ nik: '', nama_ibu_kandung: 'Dewi' })).toBe('other')
})
