import { emailOf, phoneOf } from '#domain/campaigns/addresses.ts'
import type { sheetProblems } from '#domain/campaigns/sheet-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { cutText } from '#server/platform/read-answer.ts'
import { unwrapText } from '#server/platform/sheets/csv-writer.ts'
import { type Cell, isCutNumber, type SheetLine, wrongWidth } from '#server/platform/sheets/sheet-reader.ts'

/** Headings of the columns used for addresses, name and language; null if no column is used. */
export type SheetColumns = {
  phoneColumn: string | null
  emailColumn: string | null
  nameColumn: string | null
  languageColumn: string | null
}

export type SheetProblem = { column: string | null; code: (typeof sheetProblems)[number]; value: string | null }

export type JudgedRow = {
  number: number
  name: string | null
  language: Language | null
  phone: string | null
  email: string | null
  values: Record<string, string>
  problems: SheetProblem[] | null
  isInvalid: boolean
}

export const maxSheetColumns = 100
const maxValueLength = 1_000
const maxNameLength = 120

/**
 * Text of a cell. A number that lost digits in the spreadsheet is written with an exponent (`3.17e+15`), so that
 * `isCutNumber` still recognises the text.
 */
export const textOf = (cell: Cell | undefined) =>
  typeof cell === 'number' && isCutNumber(cell) ? cell.toExponential() : unwrapText(String(cell ?? ''))

const formulaErrors = [
  ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NULL!', '#NUM!', '#SPILL!', '#CALC!', '#ERROR!'],
]
const isFormulaError = (text: string) => formulaErrors.includes(text.toUpperCase())

const plain = (heading: string) => heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const usualHeadings: Record<keyof SheetColumns, readonly string[]> = {
  phoneColumn: [
    ...['hp', 'nohp', 'nomorhp', 'wa', 'nowa', 'nomorwa', 'whatsapp', 'nowhatsapp', 'nomorwhatsapp'],
    ...['telepon', 'notelepon', 'nomortelepon', 'telp', 'notelp', 'ponsel', 'nomorponsel', 'handphone', 'nohandphone'],
    ...['phone', 'phonenumber', 'mobile', 'mobilephone', 'hpwa', 'nohpwa'],
  ],
  emailColumn: ['email', 'alamatemail', 'surel', 'mail', 'emailaddress', 'emailsiswa'],
  nameColumn: ['nama', 'namalengkap', 'namasiswa', 'namapendaftar', 'namapenerima', 'name', 'fullname'],
  languageColumn: ['bahasa', 'language', 'lang'],
}

/** Heading words of identifiers such as the NIK, which lose leading zeros when a spreadsheet stores them as numbers. */
const identityWords =
  /(^|[^\p{L}])(nik|nisn|nis|npsn|nim|npm|nip|nidn|kode|code|pin|token|va|virtual account|rekening|account|(no|nomor|number)\.? (?!urut)\p{L}+)([^\p{L}]|$)/iu

const isIdentity = (heading: string) =>
  identityWords.test(heading.replaceAll('_', ' ')) && !usualHeadings.phoneColumn.includes(plain(heading))

/** Problems that only the uploaded cells show, not the stored texts. */
export const problemsOfCells = (line: SheetLine, headings: SheetLine, values: ReadonlyMap<string, Cell>) => [
  ...(wrongWidth(headings, line) ? [{ column: null, code: 'cells_wrong' as const, value: null }] : []),
  ...[...values].flatMap(([column, cell]) =>
    typeof cell === 'number' && !isCutNumber(cell) && isIdentity(column)
      ? [{ column, code: 'zeros_lost' as const, value: String(cell) }]
      : [],
  ),
]
export const isOfCells = ({ code }: SheetProblem) => code === 'cells_wrong' || code === 'zeros_lost'

/** Guesses the columns for phone, e-mail, name and language from common headings. */
export function guessColumns(headings: readonly string[]): SheetColumns {
  const guess = (key: keyof SheetColumns) =>
    headings.find((heading) => usualHeadings[key].includes(plain(heading))) ?? null
  return {
    phoneColumn: guess('phoneColumn'),
    emailColumn: guess('emailColumn'),
    nameColumn: guess('nameColumn'),
    languageColumn: guess('languageColumn'),
  }
}

/** Headings that a column may not have, such as empty or repeated ones. */
export function headingProblems(headings: readonly string[]): string[] {
  const seen = new Set<string>()
  return headings.filter((heading) => {
    // Headings become placeholders, which cannot contain a brace. A heading such as `constructor` would name a property
    // of every object.
    const isWrong =
      heading === '' || /[{}]/.test(heading) || heading.length > 200 || seen.has(heading) || heading in Object.prototype
    seen.add(heading)
    return isWrong
  })
}

const languageWords: Record<Language, readonly string[]> = {
  id: ['id', 'ind', 'indonesia', 'indonesian', 'bahasaindonesia'],
  en: ['en', 'eng', 'english', 'inggris', 'bahasainggris'],
}

const languageOf = (text: string) =>
  (['id', 'en'] as const).find((language) => languageWords[language].includes(plain(text))) ?? null

/** A row with only these problems is valid if one of its addresses is not repeated. */
const harmlessProblems: readonly SheetProblem['code'][] = ['phone_repeated', 'email_repeated', 'zeros_lost']

/**
 * Returns a function that judges a row. Call it for each row in order, because it reports addresses that an earlier
 * valid row has. An invalid row does not count, so that its corrected copy can follow.
 */
export function rowJudge({ phoneColumn, emailColumn, nameColumn, languageColumn }: SheetColumns) {
  const claimed = { phone: new Set<string>(), email: new Set<string>() }
  return (number: number, values: Record<string, string>, ofCells: readonly SheetProblem[]): JudgedRow => {
    const problems: SheetProblem[] = [...ofCells]
    const valueIn = (column: string | null) => (column === null ? '' : (values[column] ?? ''))
    const add = (code: SheetProblem['code'], column: string | null) =>
      problems.push({ column, code, value: column === null ? null : cutText(valueIn(column), 200) })
    const address = (column: string | null, parse: (text: string) => string | null, kind: 'phone' | 'email') => {
      const text = valueIn(column)
      if (text === '' || isFormulaError(text) || isCutNumber(text)) return null
      const parsed = parse(text)
      if (!parsed) add(`${kind}_invalid`, column)
      else if (claimed[kind].has(parsed)) add(`${kind}_repeated`, column)
      return parsed
    }
    const phone = address(phoneColumn, phoneOf, 'phone')
    const email = address(emailColumn, emailOf, 'email')
    if (valueIn(phoneColumn) === '' && valueIn(emailColumn) === '') add('no_address', null)
    const languageText = valueIn(languageColumn)
    const language = languageOf(languageText)
    if (languageText !== '' && !language && !isFormulaError(languageText)) add('language_unknown', languageColumn)
    const name = valueIn(nameColumn)
    if (name.length > maxNameLength) add('value_too_long', nameColumn)
    for (const [column, value] of Object.entries(values)) {
      if (value.length > maxValueLength) add('value_too_long', column)
      if (isFormulaError(value)) add('formula_error', column)
      if (isCutNumber(value)) add('number_cut', column)
    }
    const repeated = problems.filter(({ code }) => code === 'phone_repeated' || code === 'email_repeated')
    const hasOwnAddress = [phone, email].filter(Boolean).length > repeated.length
    const isInvalid = problems.some(({ code }) => !harmlessProblems.includes(code)) || !hasOwnAddress
    if (!isInvalid) {
      if (phone) claimed.phone.add(phone)
      if (email) claimed.email.add(email)
    }
    return {
      ...{ number, language, phone, email, values, isInvalid },
      name: name === '' ? null : cutText(name, maxNameLength),
      problems: problems.length > 0 ? problems : null,
    }
  }
}
