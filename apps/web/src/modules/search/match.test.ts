import { expect, test } from 'vitest'
import { matchOf } from './match.ts'

const text = ' new study programme tambah program studi'

test.each([
  ['new stu', 'exact'],
  ['PROGRAM', 'exact'],
  ['programne', 'typo'],
  ['progrmme', 'typo'],
  ['prrogramme', 'typo'],
  ['porgramme', 'typo'],
  ['tambha prodi', null],
  ['tambha studi', 'typo'],
  ['tambha stdui', null],
  ['nwe', null],
  ['refund', null],
])('“%s” matches: %s', (typed, match) => expect(matchOf(typed, text)).toBe(match))
