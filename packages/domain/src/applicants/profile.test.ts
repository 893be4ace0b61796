import { describe, expect, test } from 'vitest'
import { checkNik, isPossibleNik, parseNik } from './nik.ts'
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

/** A profile with an answer in every field. */
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
const completeWithout = (...fields: (keyof ProfileAnswers)[]): ProfileAnswers => ({
  ...complete,
  ...Object.fromEntries(fields.map((field) => [field, null])),
})

describe('the path to the first missing answer', () => {
  test.each([
    [['motherName', 'photoFileId'], undefined, '/account/overview?edit=contact&field=motherName'],
    [['photoFileId'], 'r1', '/account/overview?edit=photo&field=photoFileId&for=r1'],
    [[], 'r1', '/account/overview?for=r1'],
    [[], undefined, '/account/overview'],
  ])('%j for %s', (missing, registration, path) => expect(pathToMissing(missing, registration)).toBe(path))
})

describe('missing answers', () => {
  test('a complete profile has none', () => {
    expect(missingProfileFields(complete)).toEqual([])
    expect(profileCompleteness(complete)).toBe(100)
  })
  test('an empty profile lacks every required answer', () => {
    expect(missingProfileFields({})).toEqual(requiredProfileFields({}))
    expect(profileCompleteness({})).toBe(0)
  })
  test('a profile without one answer is not complete', () => {
    for (const field of requiredProfileFields(complete))
      expect(profileCompleteness(completeWithout(field))).toBeLessThan(100)
  })
  test('ethnic group, NISN, father, RT and RW are optional', () => {
    expect(missingProfileFields(completeWithout('ethnicGroupId', 'nisn', 'fatherName', 'rt', 'rw'))).toEqual([])
  })
  test('a foreigner needs no NIK', () => {
    expect(missingProfileFields({ ...completeWithout('nik'), citizenship: 'TL' })).toEqual([])
    expect(missingProfileFields(completeWithout('nik'))).toEqual(['nik'])
  })
  test('university graduates need no school, and some school types need no major', () => {
    const schooling = ['schoolId', 'schoolTypeId', 'schoolMajorId'] as const
    expect(missingProfileFields({ ...completeWithout(...schooling), lastEducation: 's1' })).toEqual([])
    expect(missingProfileFields(completeWithout(...schooling))).toEqual([...schooling])
    expect(missingProfileFields({ ...completeWithout('schoolMajorId'), schoolTypeHasMajors: false })).toEqual([])
  })
  test("a minor needs a guardian's consent", () => {
    const guardian = ['guardianName', 'guardianPhone', 'guardianConsent'] as const
    expect(missingProfileFields(completeWithout(...guardian))).toEqual([])
    expect(missingProfileFields({ ...completeWithout(...guardian), isMinor: true })).toEqual([...guardian])
  })
  test('every field belongs to one group', () => {
    for (const [section, fields] of Object.entries(profileFieldsOf))
      for (const field of fields) expect(sectionOfField(field)).toBe(section)
  })
})

test('an applicant is of age from the eighteenth birthday', () => {
  expect(isMinorOn('2008-11-21', '2026-11-20')).toBe(true)
  expect(isMinorOn('2008-11-20', '2026-11-20')).toBe(false)
  expect(isMinorOn(null, '2026-11-20')).toBe(false)
})

describe('NIK', () => {
  test('gives date of birth and gender, with day + 40 for women', () => {
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
  test('is possible only with a region and a day of the calendar', () => {
    for (const nik of ['3578015705070001', '3578012902080001', '3578016902070001', '9171013112990001'])
      expect(isPossibleNik(nik), nik).toBe(true)
    for (const nik of [
      '0000000000000000',
      '0078015705070001',
      '3578013002080001',
      '3578017205070001',
      '3578013513080001',
    ])
      expect(isPossibleNik(nik), nik).toBe(false)
  })
  test('warns if it contradicts the identity', () => {
    const identity = { birthDate: '2007-05-17', gender: 'female' } as const
    expect(checkNik('3578015705070001', identity)).toEqual([])
    expect(checkNik('3578011705070001', identity)).toEqual(['nik_gender'])
    expect(checkNik('3578015805080001', identity)).toEqual(['nik_birth_date'])
    expect(checkNik('3578017205070001', identity)).toEqual(['nik_impossible'])
    expect(checkNik('3578015713070001', identity)).toEqual(['nik_impossible'])
    expect(checkNik('3578015705070001', { birthDate: null, gender: null })).toEqual([])
    expect(checkNik(null, identity)).toEqual([])
  })
})
