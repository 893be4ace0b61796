import { expect, test } from 'vitest'
import { changedFields, isTouched, omitTouched } from './touched.ts'

test('a changed field is returned by its path, others are not', () => {
  const before = { name: { en: '', id: '' }, banks: [{ code: 'a' }], amount: 0 }
  expect(changedFields(before, { ...before, name: { en: 'x', id: '' } })).toEqual(['name.en'])
  expect(changedFields(before, { ...before, banks: [{ code: 'b' }] })).toEqual(['banks.0.code'])
  expect(changedFields(before, structuredClone(before))).toEqual([])
})

test('a value set by code or restored from a draft counts as changed', () => {
  expect(changedFields({ amount: 0, reason: '' }, { amount: 250_000, reason: 'sebab' })).toEqual(['amount', 'reason'])
  expect(changedFields({}, { reference: 'TRX' })).toEqual(['reference'])
})

test('a field that appears empty is unchanged; a cleared one is changed', () => {
  expect(changedFields({ reason: null }, { reason: '' })).toEqual([])
  expect(changedFields({}, { reason: '' })).toEqual([])
  expect(changedFields({ reason: 'sebab' }, { reason: '' })).toEqual(['reason'])
})

test('the fields of a newly added row are not touched', () => {
  expect(changedFields({ banks: [] }, { banks: [{ code: '', name: '' }] })).toEqual([])
})

test('a list is touched by its items, and an item by its list', () => {
  expect(isTouched('choices', ['choices.0.programmeId'])).toBe(true)
  expect(isTouched('choices.0.programmeId', ['choices'])).toBe(true)
  expect(isTouched('choices', ['choicesMade'])).toBe(false)
  expect(omitTouched({ 'name.en': 'x', path: 'y' }, ['name'])).toEqual({ path: 'y' })
})
