import { universityTimeZone } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'

/** Tag of a language for `Intl`. */
export const localeTags = { en: 'en-GB', id: 'id-ID' } as const satisfies Record<Language, string>

type MonthNames = 'indonesian' | 'interface'
let monthNames: MonthNames = 'indonesian'

/** Sets the language of month names in dates: always Indonesian, or that of the interface. A general setting. */
export const setMonthNames = (names: MonthNames) => {
  monthNames = names
}

type MonthStyle = 'long' | 'short'
const allMonths = new Map<string, readonly string[]>()

/** The twelve month names, January first. */
export function monthsFor(language: Language, style: MonthStyle): readonly string[] {
  const nameLanguage = monthNames === 'indonesian' ? 'id' : language
  const key = `${nameLanguage} ${style}`
  let names = allMonths.get(key)
  if (!names) {
    const format = new Intl.DateTimeFormat(localeTags[nameLanguage], { month: style, timeZone: 'UTC' })
    names = Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2000, month, 15)))
    allMonths.set(key, names)
  }
  return names
}

/** `Rp 1.000.000`: Indonesian grouping in both languages, whole rupiah, with a no-break space. */
export const rupiah = (amount: number) =>
  `${amount < 0 ? '-' : ''}Rp\u00a0${Math.abs(Math.round(amount))
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, '.')}`

/** `Rp 1.250,75` of 125075 sen; whole rupiah are written without sen. */
export function rupiahOfSen(amountSen: number) {
  const sen = Math.abs(amountSen) % 100
  const wholeRupiah = rupiah((Math.abs(amountSen) - sen) / 100)
  return `${amountSen < 0 ? '-' : ''}${wholeRupiah}${sen > 0 ? `,${String(sen).padStart(2, '0')}` : ''}`
}

/** Whole numbers with Indonesian grouping. */
export const wholeNumber = (value: number) => new Intl.NumberFormat('id-ID', { maximumFractionDigits: 0 }).format(value)

/** Units of short numbers in English: the Indonesian `M` is a thousand million. */
const englishUnits: Record<string, string> = { rb: 'k', jt: 'm', M: 'bn', T: 'tn' }

/** 1500000 → `1,5 jt`, in English `1,5 m`, for axes of charts, where whole rupiah do not fit. */
export const shortNumber = (value: number, language: Language) =>
  new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2, notation: 'compact' })
    .formatToParts(value)
    .map(({ type, value: text }) => (type === 'compact' && language === 'en' ? (englishUnits[text] ?? text) : text))
    .join('')

/** 71.5 → `71,50`: scores and grades, in Indonesian format in both languages. */
export const twoDecimals = (value: number) =>
  new Intl.NumberFormat('id-ID', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)
const percentFormat = new Intl.NumberFormat('id-ID', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** 0.1234 → `12,34%`. */
export const percent = (share: number) => percentFormat.format(share)

/** 0.1315 → `13%`: progress, where parts of a percent say nothing. */
export const wholePercent = (share: number) => `${wholeNumber(Math.floor(share * 100))}%`

/** A plain date (`2026-11-27`) is a day, not an instant: its noon in UTC is the same day in every zone of Indonesia. */
const asDate = (value: Date | string) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T12:00:00Z`) : new Date(value)

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** Formatters are kept: making one takes a hundred times as long as using it. */
function dateFormat(language: Language, options: Intl.DateTimeFormatOptions) {
  const key = `${language} ${JSON.stringify(options)}`
  const known = dateFormats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(localeTags[language], options)
  dateFormats.set(key, format)
  return format
}

type Day = { language: Language; timeZone: string; month: MonthStyle; weekday?: 'long'; day: '2-digit' | 'numeric' }

function formatDay(value: Date | string, { language, timeZone, month, ...rest }: Day) {
  const formatter = dateFormat(language, { ...rest, month: 'numeric', year: 'numeric', timeZone })
  const parts = Object.fromEntries(formatter.formatToParts(asDate(value)).map(({ type, value: text }) => [type, text]))
  const day = `${parts.day} ${monthsFor(language, month)[Number(parts.month) - 1]} ${parts.year}`
  return parts.weekday ? `${parts.weekday}, ${day}` : day
}

/** `27 November 2026`. */
export const longDate = (value: Date | string, language: Language, timeZone = universityTimeZone()) =>
  formatDay(value, { language, timeZone, day: '2-digit', month: 'long' })

/** `27 Nov 2026`, for tables. */
export const shortDate = (value: Date | string, language: Language, timeZone = universityTimeZone()) =>
  formatDay(value, { language, timeZone, day: '2-digit', month: 'short' })

/** `Friday, 27 November 2026`. */
export const weekdayDate = (value: Date | string, language: Language, timeZone = universityTimeZone()) =>
  formatDay(value, { language, timeZone, weekday: 'long', day: 'numeric', month: 'long' })

/** `23.59`. */
export const timeOfDay = (value: Date | string, _language: Language = 'id', timeZone = universityTimeZone()) =>
  dateFormat('id', { hour: '2-digit', minute: '2-digit', hour12: false, timeZone })
    .format(asDate(value))
    .replace(':', '.')

/** `08.00–10.00` of two local times such as `08:00`. */
export const timeRange = (from: string, to: string) => `${from}–${to}`.replaceAll(':', '.')

/** `27 November 2026, 23.59`. */
export const dateTime = (value: Date | string, language: Language, timeZone = universityTimeZone()) =>
  `${longDate(value, language, timeZone)}, ${timeOfDay(value, language, timeZone)}`

const smallNumbers = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  ),
  id: 'nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas'.split(' '),
}
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

function englishWords(n: number): string {
  if (n < 20) return smallNumbers.en[n]!
  if (n < 100) return tens[Math.floor(n / 10)]! + (n % 10 ? `-${smallNumbers.en[n % 10]}` : '')
  for (const [size, name] of [
    [1e12, 'trillion'],
    [1e9, 'billion'],
    [1e6, 'million'],
    [1e3, 'thousand'],
    [100, 'hundred'],
  ] as const) {
    if (n >= size) return join(`${englishWords(Math.floor(n / size))} ${name}`, n % size, englishWords)
  }
  return ''
}

function indonesianWords(n: number): string {
  if (n < 12) return smallNumbers.id[n]!
  if (n < 20) return `${smallNumbers.id[n - 10]} belas`
  if (n < 100) return join(`${smallNumbers.id[Math.floor(n / 10)]} puluh`, n % 10, indonesianWords)
  if (n < 200) return join('seratus', n - 100, indonesianWords)
  if (n >= 1000 && n < 2000) return join('seribu', n - 1000, indonesianWords)
  for (const [size, name] of [
    [1e12, 'triliun'],
    [1e9, 'miliar'],
    [1e6, 'juta'],
    [1e3, 'ribu'],
    [100, 'ratus'],
  ] as const) {
    if (n >= size) return join(`${indonesianWords(Math.floor(n / size))} ${name}`, n % size, indonesianWords)
  }
  return ''
}

const join = (head: string, rest: number, toWords: (n: number) => string) =>
  rest === 0 ? head : `${head} ${toWords(rest)}`

const wordsOfNumber: Record<Language, (n: number) => string> = { en: englishWords, id: indonesianWords }

/** 250000 → `dua ratus lima puluh ribu rupiah`. */
export const amountInWords = (amount: number, language: Language) => `${wordsOfNumber[language](amount)} rupiah`
