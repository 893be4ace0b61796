import { describe, expect, it } from 'vitest'
import { parsePhone } from '#entities/define/phone.ts'
import {
  emailProblem,
  isEmail,
  nameProblem,
  newPasswordProblem,
  phoneProblem,
  repeatedPasswordProblem,
} from './fields.ts'
import { passwordProblem, passwordScore } from './password.ts'
import { formatPhone, phoneDigitsOf } from './phone.ts'

describe('password meter', () => {
  it.each([
    ['', 0],
    ['aB3$', 0],
    ['aB3$xyz', 0],
    ['abcdefgh', 25],
    ['ABCDEFGH', 25],
    ['12345678', 25],
    ['!@#$%^&*', 25],
    ['abcdEFGH', 50],
    ['abcd1234', 50],
    ['abcdEF12', 75],
    ['abcdE12!', 100],
    ['Demo-2026!', 100],
    ['éèêëàâäÉ', 50],
  ])('%j scores %i', (password, score) => expect(passwordScore(password)).toBe(score))
})

describe('password rule', () => {
  it.each([
    ['short1!', 'password_too_short'],
    ['x'.repeat(129), 'password_too_long'],
    ['Password123', 'password_too_common'],
    ['aaaaaaaaab', 'password_too_common'],
    ['siti@example.com', 'password_is_email'],
    ['kopi susu hangat', null],
    ['Demo-2026!', null],
  ])('%j → %s', (password, problem) => expect(passwordProblem(password, 'Siti@example.com')).toBe(problem))
})

describe('phone', () => {
  it.each([
    ['081234567890', '+6281234567890'],
    ['0812-3456-7890', '+6281234567890'],
    ['+62 812 3456 7890', '+6281234567890'],
    ['6281234567890', '+6281234567890'],
    ['(0812) 3456.789', '+628123456789'],
    ['+62 (0)812 3456 7890', '+6281234567890'],
    ['62081234567890', '+6281234567890'],
    ['8123456789', null],
    ['021 123-4567', '+62211234567'],
    ['+62 (0)21 1234567', '+62211234567'],
    ['+60 12-345 6789', '+60123456789'],
    ['0065 9123 4567', '+6591234567'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['\u202a+62 812\u20113456\u20117890\u202c', '+6281234567890'],
    ['0812 3456 7890\u200b', '+6281234567890'],
    ['+62812345678901', '+62812345678901'],
    ['+628123456789012', null],
    ['+62008123456789', null],
    ['+0812345678', null],
    ['+65 1', null],
    ['+999 12345678', null],
    ['+1 555 0100', null],
    ['9123 4567', null],
    ['0812', null],
    ['0812345678901234', null],
    ['08123abc567', null],
    ['', null],
  ])('%j → %j', (text, phone) => expect(parsePhone(text)).toBe(phone))
  it.each([
    ['0812-3456', '628123456'],
    ['+62 812 3456', '628123456'],
    ['(0812) 3456.789', '628123456789'],
    ['\u202a0812\u20113456\u202c', '628123456'],
    ['08', '628'],
    ['0123', '0123'],
    ['7789', '7789'],
    ['0812a', null],
    ['+', null],
    ['', null],
  ])('the part %j is stored as %j', (typed, digits) => expect(phoneDigitsOf(typed)).toBe(digits))
  it('is formatted in groups', () => expect(formatPhone('+6281234567890')).toBe('0812-3456-7890'))
})

describe('fields', () => {
  it.each([
    ['siti@example.com', true],
    ['siti.n+pmb@mail.ui.ac.id', true],
    ['siti@example', false],
    ['siti example@x.com', false],
    ['siti@@example.com', false],
    ['.siti@example.com', false],
    ['siti..n@example.com', false],
    ['mailto:siti@example.com', false],
    ['siti\u200b@example.com', false],
    ['\ufeffsiti@example.com', false],
    ['si\u00adti@example.com', false],
    ['siti\u3164@example.com', false],
    [`${'a'.repeat(250)}@x.com`, false],
  ])('%j is an e-mail address: %s', (text, valid) => expect(isEmail(text)).toBe(valid))

  it("returns each field's problem", () => {
    expect(nameProblem('  ')).toBe('field_required')
    expect(nameProblem('Sukarno')).toBeNull()
    expect(nameProblem('x'.repeat(101))).toBe('name_too_long')
    expect(nameProblem('🎓🎓')).toBe('name_without_letters')
    expect(nameProblem('Siti ❤️')).toBe('name_without_letters')
    expect(nameProblem('12345')).toBe('name_without_letters')
    expect(nameProblem("Nur'aini, S.Pd. III")).toBeNull()
    expect(nameProblem('王小明')).toBeNull()
    expect(emailProblem('')).toBe('field_required')
    expect(emailProblem('siti@')).toBe('email_invalid')
    expect(emailProblem(' siti@example.com ')).toBeNull()
    expect(phoneProblem('12')).toBe('phone_invalid')
    expect(newPasswordProblem('')).toBe('field_required')
    expect(repeatedPasswordProblem('abc', 'abd')).toBe('password_mismatch')
    expect(repeatedPasswordProblem('abc', 'abc')).toBeNull()
  })
})
