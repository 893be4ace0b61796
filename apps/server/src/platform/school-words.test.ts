import { expect, test } from 'vitest'
import { schoolPatterns } from './school-words.ts'

test('schools are searched by words; short numbers match whole words, and wildcards are escaped', () => {
  expect(schoolPatterns('SMAN1 Surabaya')).toEqual(['%sman%', '% 1 %', '%surabaya%'])
  expect(schoolPatterns('20532242')).toEqual(['%20532242%'])
  expect(schoolPatterns('NP000012')).toEqual(['%np000012%'])
  expect(schoolPatterns("100% _'\\")).toEqual(['% 100 %'])
})
