import { describe, expect, test } from 'vitest'
import { checkNik, parseNik } from './nik.ts'
import {
  isMinorOn,
  missingProfileFields,
  type ProfileAnswers,
  pathToMissing,
  profileCompleteness,
  profileFieldsOf,
  requiredProfileFields,
  sectionOfField,
} from './profile.ts'
import { schoolPatterns } from './school-words.ts'

/** Every field given, whatever it is. */
const complete: ProfileAnswers = {
  ...Object.fromEntries(
    Object.values(profileFieldsOf)
      .flat()
      .map((field) => [field, 'x']),
  ),
  citizenship: 'ID',
  lastEducation: 'sma',
  guardianConsent: true,
}
const without = (...fields: (keyof ProfileAnswers)[]): ProfileAnswers => ({
  ...complete,
  ...Object.fromEntries(fields.map((field) => [field, null])),
})

describe('the way to what is missing', () => {
  test.each([
    [['motherName', 'photoFileId'], undefined, '/account/overview?edit=contact&field=motherName'],
    [['photoFileId'], 'r1', '/account/overview?edit=photo&field=photoFileId&for=r1'],
    [[], 'r1', '/account/overview?for=r1'],
    [[], undefined, '/account/overview'],
  ])('%j for %s', (missing, registration, path) => expect(pathToMissing(missing, registration)).toBe(path))
})

describe('what is missing', () => {
  test('nothing of a complete profile', () => {
    expect(missingProfileFields(complete)).toEqual([])
    expect(profileCompleteness(complete)).toBe(100)
  })
  test('everything required of an empty one', () => {
    expect(missingProfileFields({})).toEqual(requiredProfileFields({}))
    expect(profileCompleteness({})).toBe(0)
  })
  test('one answer less is never called complete', () => {
    for (const field of requiredProfileFields(complete)) expect(profileCompleteness(without(field))).toBeLessThan(100)
  })
  test('ethnic group, NISN, father, RT and RW may stay open', () => {
    expect(missingProfileFields(without('ethnicGroupId', 'nisn', 'fatherName', 'rt', 'rw'))).toEqual([])
  })
  test('a foreigner has no NIK', () => {
    expect(missingProfileFields({ ...without('nik'), citizenship: 'TL' })).toEqual([])
    expect(missingProfileFields(without('nik'))).toEqual(['nik'])
  })
  test('who comes from a university needs no school, and no major where a school type has none', () => {
    const schooling = ['schoolId', 'schoolTypeId', 'schoolMajorId'] as const
    expect(missingProfileFields({ ...without(...schooling), lastEducation: 's1' })).toEqual([])
    expect(missingProfileFields(without(...schooling))).toEqual([...schooling])
    expect(missingProfileFields({ ...without('schoolMajorId'), schoolTypeHasMajors: false })).toEqual([])
  })
  test('a minor needs a guardian who agrees', () => {
    const guardian = ['guardianName', 'guardianPhone', 'guardianConsent'] as const
    expect(missingProfileFields(without(...guardian))).toEqual([])
    expect(missingProfileFields({ ...without(...guardian), isMinor: true })).toEqual([...guardian])
  })
  test('every field belongs to one group', () => {
    for (const [section, fields] of Object.entries(profileFieldsOf))
      for (const field of fields) expect(sectionOfField(field)).toBe(section)
  })
})

test('one is of age from the eighteenth birthday on', () => {
  expect(isMinorOn('2008-11-21', '2026-11-20')).toBe(true)
  expect(isMinorOn('2008-11-20', '2026-11-20')).toBe(false)
  expect(isMinorOn(null, '2026-11-20')).toBe(false)
})

describe('NIK', () => {
  test('tells date of birth and gender, with day + 40 for women', () => {
    expect(parseNik('3578015705070001')).toMatchObject({
      day: 17,
      month: 5,
      year: 7,
      gender: 'female',
      provinceCode: '35',
    })
    expect(parseNik('3578011705070001')).toMatchObject({ day: 17, gender: 'male' })
    expect(parseNik('123')).toBeNull()
  })
  test('warns where it disagrees', () => {
    const born = { birthDate: '2007-05-17', gender: 'female' } as const
    expect(checkNik('3578015705070001', born)).toEqual([])
    expect(checkNik('3578011705070001', born)).toEqual(['nik_gender'])
    expect(checkNik('3578015805080001', born)).toEqual(['nik_birth_date'])
    expect(checkNik('3578017205070001', born)).toEqual(['nik_impossible'])
    expect(checkNik('3578015713070001', born)).toEqual(['nik_impossible'])
    expect(checkNik('3578015705070001', { birthDate: null, gender: null })).toEqual([])
    expect(checkNik(null, born)).toEqual([])
  })
})

test('a school is searched by words; short numbers are whole words and nothing typed is a wildcard', () => {
  expect(schoolPatterns('SMAN1 Surabaya')).toEqual(['%sman%', '% 1 %', '%surabaya%'])
  expect(schoolPatterns('20532242')).toEqual(['%20532242%'])
  expect(schoolPatterns('NP000012')).toEqual(['%np000012%'])
  expect(schoolPatterns("100% _'\\")).toEqual(['% 100 %'])
})
