import { fillPlaceholders, placeholdersOf, unknownPlaceholderIn } from '#domain/messaging/placeholders.ts'
import { type NumberRules, problemOfNumber } from '#domain/settings/number-templates.ts'
import type { Language } from '#entities/define/language.ts'

/**
 * Who may get a letter: anyone with a submitted registration still in force, or only accepted applicants after
 * publication.
 */
export const letterAudiences = ['registered', 'accepted'] as const
export type LetterAudience = (typeof letterAudiences)[number]

export const letterStates = ['valid', 'replaced', 'withdrawn'] as const

/** Code of the kind that applicants download themselves. */
export const acceptanceCode = 'acceptance'

const samples = {
  name: { en: 'Sari Wulandari', id: 'Sari Wulandari' },
  code: { en: '26G100042', id: '26G100042' },
  birth: { en: 'Bandung, 5 Mei 2008', id: 'Bandung, 5 Mei 2008' },
  school: { en: 'SMA Melati', id: 'SMA Melati' },
  choice: { en: 'Informatics', id: 'Informatika' },
  programme: { en: 'Informatics', id: 'Informatika' },
  faculty: { en: 'Faculty of Engineering', id: 'Fakultas Teknik' },
  class: { en: 'Regular', id: 'Reguler' },
  track: { en: 'Regular', id: 'Reguler' },
  wave: { en: 'Wave 1', id: 'Gelombang 1' },
  academicYear: { en: '2026/2027', id: '2026/2027' },
  confirmation: { en: 'The place has been confirmed.', id: 'Kursi sudah dikonfirmasi.' },
  paid: { en: 'Rp\u00a0250.000', id: 'Rp\u00a0250.000' },
  npm: { en: '26552010042', id: '26552010042' },
  session: { en: 'Computer test, session 1', id: 'Tes CBT sesi 1' },
  testDate: { en: 'Saturday, 5 Desember 2026, 08.00–10.00', id: 'Sabtu, 5 Desember 2026, 08.00–10.00' },
  testPlace: { en: 'Building A, room 301', id: 'Gedung A, ruang 301' },
  university: { en: 'Universitas Contoh Nusantara', id: 'Universitas Contoh Nusantara' },
  number: { en: '0042/PMB/XI/2026', id: '0042/PMB/XI/2026' },
  date: { en: '23 November 2026', id: '23 November 2026' },
} as const

export type LetterPlaceholder = keyof typeof samples
export const letterPlaceholders = Object.keys(samples) as readonly LetterPlaceholder[]

/** Placeholders filled from the letter; all others are frozen facts of the registration. */
const ofTheLetter: readonly string[] = ['number', 'date', 'university']

/** The first placeholder that letters cannot fill; undefined if there is none. */
export const unknownInLetter = (text: string) => unknownPlaceholderIn(text, letterPlaceholders)

/** Facts of the registration the text needs. */
export const factsIn = (text: string): LetterPlaceholder[] =>
  placeholdersOf(text).filter((name) => !ofTheLetter.includes(name)) as LetterPlaceholder[]

const ofTheTest: readonly LetterPlaceholder[] = ['session', 'testDate', 'testPlace']

/** Whether the text invites to a test, that is, contains the session of the applicant's seat. */
export const invitesToTest = (text: string) => factsIn(text).some((name) => ofTheTest.includes(name))

/** Example values for the preview. */
export const sampleLetter = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(samples).map(([name, sample]) => [name, sample[language]]))

/** Rules for letter numbers. The counter restarts every year, or every month if the template contains the month. */
export const letterNumberRules: NumberRules = { tokens: ['YYYY', 'YY', 'month'], longest: 60, yearly: true }

export const letterNumberProblem = (template: string) => problemOfNumber(letterNumberRules, template)

/** A block of a letter: a paragraph, or lines of label and value. */
export type LetterBlock = { text: string } | { facts: [label: string, value: string][] }

const separator = ' : '

/**
 * Splits a filled text into blocks at empty lines. A block with ` : ` in every line is a table of labels and values.
 */
export function blocksOf(text: string): LetterBlock[] {
  const parts = text
    .replaceAll('\r', '')
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
  return parts.map((part) => {
    const lines = part.split('\n')
    if (!lines.every((line) => line.includes(separator))) return { text: part }
    return {
      facts: lines.map((line): [string, string] => {
        const at = line.indexOf(separator)
        return [line.slice(0, at).trim(), line.slice(at + separator.length).trim()]
      }),
    }
  })
}

/** Fills in the text. Throws on a missing value: callers check `factsIn` first. */
export function fillLetter(text: string, values: Readonly<Record<string, string>>): string {
  const filled = fillPlaceholders(text, values)
  if (filled === undefined) throw new Error('A letter lacks a value')
  return filled
}
