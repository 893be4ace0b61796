import type { Language } from '#entities/define/language.ts'
import type { MessageEvent } from '#entities/messaging/message-events.ts'

/** Fields of a template's text by language. */
export const templateFields = {
  en: { subject: 'subjectEn', body: 'bodyEn' },
  id: { subject: 'subjectId', body: 'bodyId' },
} as const satisfies Record<Language, { subject: string; body: string }>

/** Example values of placeholders, for previews. */
const samples = {
  name: { en: 'Sari Wulandari', id: 'Sari Wulandari' },
  university: { en: 'Universitas Contoh Nusantara', id: 'Universitas Contoh Nusantara' },
  email: { en: 'sari@example.com', id: 'sari@example.com' },
  role: { en: 'Panitia PMB', id: 'Panitia PMB' },
  code: { en: '26G100042', id: '26G100042' },
  amount: { en: 'Rp\u00a0250.000', id: 'Rp\u00a0250.000' },
  remaining: { en: 'Rp\u00a0100.000', id: 'Rp\u00a0100.000' },
  next: { en: 'Rp\u00a060.000', id: 'Rp\u00a060.000' },
  waiting: { en: 'Rp\u00a050.000', id: 'Rp\u00a050.000' },
  number: { en: 'INV-2026-000042', id: 'INV-2026-000042' },
  due: { en: '27 November 2026, 23.59', id: '27 November 2026, 23.59' },
  document: { en: 'Family card', id: 'Kartu keluarga' },
  reason: { en: 'The picture cannot be read.', id: 'Gambar tidak terbaca.' },
  session: { en: 'Computer test, session 1', id: 'Tes CBT sesi 1' },
  date: { en: '5 Desember 2026, 08.00', id: '5 Desember 2026, 08.00' },
  place: { en: 'Building A, room 301', id: 'Gedung A, ruang 301' },
  school: { en: 'SMA Melati', id: 'SMA Melati' },
  programme: { en: 'Informatics', id: 'Informatika' },
  lines: { en: 'Last backup, mail', id: 'Cadangan terakhir, email' },
  count: { en: '3', id: '3' },
  title: { en: 'Office hours', id: 'Jam layanan' },
  report: { en: 'Registrations per study programme report', id: 'Laporan pendaftaran per program studi' },
  by: { en: 'Budi Santoso', id: 'Budi Santoso' },
  text: { en: 'The office is closed on Friday.', id: 'Kantor tutup pada hari Jumat.' },
} as const

export type Placeholder = keyof typeof samples

/** Placeholders of every message. */
const commonPlaceholders = ['name', 'university'] as const satisfies Placeholder[]

/** Placeholders of each event besides the common ones. */
const eventPlaceholders: Record<MessageEvent, readonly Placeholder[]> = {
  'verify-email': [],
  'reset-password': [],
  'change-email': [],
  'password-changed': [],
  'account-exists': [],
  'account-welcome': [],
  'account-email-changed': ['email'],
  'account-google-linked': [],
  'account-invited': ['role'],
  'administrator-link': ['email', 'due'],
  'administrator-added': ['email'],
  'account-totp-on': [],
  'account-totp-off': [],
  'account-totp-reset': ['reason'],
  'account-recovery-code': [],
  'registration-submitted': ['code', 'amount', 'due'],
  'registration-submitted-free': ['code'],
  'registration-withdrawn': ['code'],
  'registration-expired': ['code'],
  'registration-cancelled': ['code', 'reason'],
  'bill-issued': ['number', 'amount', 'due'],
  'bill-changed': ['number', 'next', 'due', 'remaining'],
  'bill-let-off': ['number'],
  'payment-received': ['number', 'amount'],
  'payment-partial': ['number', 'amount', 'next', 'due', 'remaining'],
  'payment-waiting': ['number', 'amount', 'waiting'],
  'payment-reversed': ['number', 'amount', 'reason'],
  'transfer-proof-matched': ['number', 'amount'],
  'transfer-proof-refused': ['number', 'amount', 'reason'],
  'transfer-proof-returned': ['number', 'amount'],
  'refund-approved': ['number', 'amount'],
  'payment-reminder': ['number', 'next', 'due', 'remaining'],
  'document-approved': ['document'],
  'document-rejected': ['document', 'reason'],
  'document-requested': ['document', 'due'],
  'document-due': ['document', 'due', 'code'],
  'document-overdue': ['document', 'due', 'code'],
  'document-reopened': ['document', 'code'],
  'registration-verified': ['code'],
  'test-booked': ['session', 'date', 'place'],
  'test-changed': ['session', 'date', 'place'],
  'test-offered': ['session', 'date', 'place', 'due'],
  'test-offer-expired': ['session', 'date', 'place'],
  'test-waiting-closed': ['session', 'date', 'place'],
  'test-moved': ['session', 'date', 'place', 'reason'],
  'test-released': ['session', 'date', 'place', 'reason'],
  'test-reminder': ['session', 'date', 'place'],
  'result-published': ['code'],
  'registration-accepted': ['code', 'programme', 'due'],
  'registration-not-accepted': ['code'],
  'registration-confirmed': ['programme', 'due'],
  'offer-declined': ['code'],
  'offer-expired': ['code'],
  'offer-extended': ['code', 'programme', 'due'],
  'offer-reopened': ['code', 'programme', 'due'],
  'offer-reminder': ['code', 'programme', 'due'],
  'affiliate-approved': ['code'],
  'affiliate-refused': ['reason'],
  'commission-paid': ['number', 'amount'],
  'programme-request-refused': ['code', 'programme', 'reason'],
  'programme-changed': ['code', 'programme', 'reason'],
  'programme-changed-bill': ['code', 'programme', 'reason', 'number', 'amount', 'remaining'],
  'programme-changed-overpaid': ['code', 'programme', 'reason', 'number', 'amount', 'waiting'],
  'student-number-issued': ['number', 'programme'],
  'student-number-withdrawn': ['number', 'reason'],
  'school-rejected': ['school', 'reason'],
  'campaign-to-approve': ['title', 'count'],
  'health-red': ['lines'],
  'health-well': ['lines'],
  'invariants-found': ['count'],
  'report-mail': ['report', 'date', 'count', 'title', 'by'],
  'report-mail-link': ['report', 'date', 'count', 'title', 'by'],
  'event-ticket': ['title', 'date', 'place', 'code'],
  'event-waiting': ['title', 'date', 'place', 'code'],
  'event-place-free': ['title', 'date', 'place', 'code'],
  'event-reminder': ['title', 'date', 'place', 'code'],
  'event-moved': ['title', 'date', 'place', 'code'],
  'event-cancelled': ['title', 'date', 'place', 'reason'],
  'chat-answer': ['text'],
  note: ['title', 'text'],
}

export const messagePlaceholders = Object.fromEntries(
  Object.entries(eventPlaceholders).map(([event, names]) => [event, [...commonPlaceholders, ...names]]),
) as unknown as Record<MessageEvent, readonly Placeholder[]>

/** Text between double braces, trimmed. */
const placeholderPattern = /\{\{\s*([^{}]*?)\s*\}\}/g

/** First unknown placeholder or unpaired double brace in a text for the event. */
export const unknownPlaceholder = (event: MessageEvent, text: string) =>
  unknownPlaceholderIn(text, messagePlaceholders[event])

/** First placeholder not in `knownNames`, else the first unpaired double brace; undefined if there is neither. */
export function unknownPlaceholderIn(text: string, knownNames: readonly string[]): string | undefined {
  const unknownMatch = [...text.matchAll(placeholderPattern)].find(([, name]) => !knownNames.includes(name!))
  if (unknownMatch) return unknownMatch[0]
  return /\{\{|\}\}/.exec(text.replace(placeholderPattern, ''))?.[0]
}

/** First name in single braces, such as `{Nama}`. It is sent unchanged, but its author probably meant a placeholder. */
export const singleBraced = (text: string): string | undefined =>
  /\{\s*\p{L}[^{}\n]{0,60}\}/u.exec(text.replace(placeholderPattern, ' '))?.[0]

/**
 * Fills placeholders; undefined if a value is missing or a double brace is unpaired, so recipients never read a raw
 * placeholder.
 */
export function fillPlaceholders(text: string, values: Readonly<Record<string, unknown>>): string | undefined {
  let missing = false
  const filled = text.replace(placeholderPattern, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined || value === null) missing = true
    return String(value)
  })
  return missing || /\{\{|\}\}/.test(text.replace(placeholderPattern, '')) ? undefined : filled
}

/** Placeholder names in order of first occurrence. */
export const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholderPattern)].map(([, name]) => name!)),
]

/** Example values in a language, for previews and test messages. */
export const sampleValues = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(samples).map(([name, sample]) => [name, sample[language]]))
