import type { ErrorCode } from '#domain/errors.ts'
import { wholeNumber } from '#locales/format.ts'
import { invalid } from '#server/platform/errors.ts'
import { maxColumns, SheetError, type SheetFault } from './sheet-reader.ts'

/** Refusal of a file with more than `most` columns; 422. */
export const tooManyColumns = (most: number) =>
  invalid({ file: { code: 'sheet_columns', params: { maximum: wholeNumber(most) } } })

/** Refusal of a file with more than `most` rows; 422. */
export const tooManyRows = (most: number) =>
  invalid({ file: { code: 'sheet_rows', params: { maximum: wholeNumber(most) } } })

const codes: Record<Exclude<SheetFault, 'too_many_columns'>, ErrorCode> = {
  unreadable: 'file_unreadable',
  too_big_inside: 'file_too_complex',
  took_too_long: 'file_took_too_long',
}

/** The refusal of a spreadsheet that cannot be read, with 422; any other error as it is. */
export function sheetRefusal(error: unknown) {
  if (!(error instanceof SheetError)) return error
  return error.fault === 'too_many_columns' ? tooManyColumns(maxColumns) : invalid({ file: codes[error.fault] })
}
