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

/** First bytes of the container of old Office files and of those with a password (MS-CFB 2.2). */
const oleMark = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Whether a file is a container of old Office files. */
export const isOle = (bytes: Buffer) => bytes.subarray(0, oleMark.length).equals(oleMark)
const hasStream = (bytes: Buffer, name: string) => bytes.includes(Buffer.from(name, 'utf16le'))

/** Why an Excel file that is no XLSX cannot be read; null for other files. */
export function excelRefusal(bytes: Buffer): ErrorCode | null {
  if (!isOle(bytes)) return null
  if (hasStream(bytes, 'EncryptedPackage')) return 'sheet_protected'
  return hasStream(bytes, 'Workbook') || hasStream(bytes, 'Book') ? 'sheet_old_excel' : null
}

/** Throws 422 with the names that are no columns. */
export function refuseUnknownColumns(names: readonly string[], columns: readonly string[]) {
  const unknown = names.filter((name) => !columns.includes(name))
  if (unknown.length > 0)
    throw invalid({ columns: { code: 'columns_unknown', params: { names: unknown.join(', ').slice(0, 200) } } })
}

const codes: Record<Exclude<SheetFault, 'too_many_columns'>, ErrorCode> = {
  unreadable: 'file_unreadable',
  too_big_inside: 'file_too_complex',
  text_too_long: 'sheet_text_too_long',
  took_too_long: 'file_took_too_long',
}

/** The refusal of a spreadsheet that cannot be read, with 422; any other error as it is. */
export function sheetRefusal(error: unknown) {
  if (!(error instanceof SheetError)) return error
  return error.fault === 'too_many_columns' ? tooManyColumns(maxColumns) : invalid({ file: codes[error.fault] })
}
