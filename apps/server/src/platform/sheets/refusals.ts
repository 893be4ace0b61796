import type { ErrorCode } from '#domain/errors.ts'
import { wholeNumber } from '#locales/format.ts'
import { invalid } from '#server/platform/errors.ts'
import { maxColumns, SheetError, type SheetFault } from './sheet-reader.ts'

/** 422 for a file with more than `most` columns. */
export const tooManyColumns = (most: number) =>
  invalid({ file: { code: 'sheet_columns', params: { maximum: wholeNumber(most) } } })

/** 422 for a file with more than `most` rows. */
export const tooManyRows = (most: number) =>
  invalid({ file: { code: 'sheet_rows', params: { maximum: wholeNumber(most) } } })

/** First bytes of old Office files and of password-protected ones (MS-CFB 2.2). */
const oleMark = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Whether a file is an old or password-protected Office file. */
export const isOle = (bytes: Buffer) => bytes.subarray(0, oleMark.length).equals(oleMark)
const hasStream = (bytes: Buffer, name: string) => bytes.includes(Buffer.from(name, 'utf16le'))

/** Why an Excel file that is not XLSX cannot be read; null for other files. */
export function excelRefusal(bytes: Buffer): ErrorCode | null {
  if (!isOle(bytes)) return null
  if (hasStream(bytes, 'EncryptedPackage')) return 'sheet_protected'
  return hasStream(bytes, 'Workbook') || hasStream(bytes, 'Book') ? 'sheet_old_excel' : null
}

/** 422 with the names that are not columns. */
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

/** 422 for a spreadsheet that cannot be read; returns any other error unchanged. */
export function sheetRefusal(error: unknown) {
  if (!(error instanceof SheetError)) return error
  return error.fault === 'too_many_columns' ? tooManyColumns(maxColumns) : invalid({ file: codes[error.fault] })
}
