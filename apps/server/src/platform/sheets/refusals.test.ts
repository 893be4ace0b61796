import { expect, test } from 'vitest'
import { sheetRefusal, tooManyRows } from './refusals.ts'
import { SheetError, type SheetFault } from './sheet-reader.ts'

test.each([
  ['unreadable', 'file_unreadable'],
  ['too_big_inside', 'file_too_complex'],
  ['took_too_long', 'file_took_too_long'],
  ['text_too_long', 'sheet_text_too_long'],
  ['too_many_columns', { code: 'sheet_columns', params: { maximum: '300' } }],
] as const)('a spreadsheet that is %s is refused with its own sentence', (fault: SheetFault, problem) => {
  expect(sheetRefusal(new SheetError(fault))).toMatchObject({ status: 422, fields: { file: problem } })
})

test('the row limit is the one the screen shows', () => {
  expect(tooManyRows(200_000)).toMatchObject({
    fields: { file: { code: 'sheet_rows', params: { maximum: '200.000' } } },
  })
})

test('other errors are unchanged', () => {
  const error = new Error('the disk is full')
  expect(sheetRefusal(error)).toBe(error)
})
