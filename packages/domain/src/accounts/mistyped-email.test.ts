import { expect, test } from 'vitest'
import { meantEmail } from './mistyped-email.ts'

test.each([
  ['siti@gmial.com', 'siti@gmail.com'],
  ['siti@gmai.com', 'siti@gmail.com'],
  ['siti@gmaill.com', 'siti@gmail.com'],
  ['siti@gnail.com', 'siti@gmail.com'],
  ['siti@gmail.con', 'siti@gmail.com'],
  ['siti@gmail.co', 'siti@gmail.com'],
  ['siti@gmail.co.id', 'siti@gmail.com'],
  ['SITI@GMAIL.CM', 'SITI@gmail.com'],
  ['budi@yaho.com', 'budi@yahoo.com'],
  ['budi@yahoo.co.di', 'budi@yahoo.co.id'],
  ['budi@hotmial.com', 'budi@hotmail.com'],
])('%s is asked about: %s?', (typed, meant) => {
  expect(meantEmail(typed)).toBe(meant)
})

test.each([
  'siti@gmail.com',
  'siti@yahoo.co.id',
  'siti@ymail.com',
  'siti@mail.com',
  'siti@ui.ac.id',
  'siti@student.ucn.ac.id',
  'siti@contoh.test',
  'siti@gmx.com',
  'siti@',
  'siti',
  '',
])('%s is not', (typed) => {
  expect(meantEmail(typed)).toBeNull()
})
