import { ApiError } from './client.ts'

/**
 * Reads whose failure can be an expected answer: with these statuses no dialog opens, because the component shows the
 * failure itself. All other failed reads open the dialog. `refused` means any status from 400 to 499.
 */
export const quietReads = {
  // The bell reads every minute; its panel says that messages are missing.
  bell: 'any',
  // The connection notice reports it; the menu shows no number until the next read within a minute.
  chatWaiting: [503, 429, 0],
  // The connection notice reports it; unread answers are counted again within a minute.
  ownChat: [503, 429, 0],
  // The connection notice reports it; the card is read again within a minute.
  card: [503, 429, 0],
  // Without network the page uses the stored list, and says so.
  door: [503, 429, 0],
  // A scanned or typed code; the page says that it is unknown.
  cardCheck: [404, 422],
  receiptCheck: [404, 422],
  sandboxNumber: [404, 422],
  // A link from a mail; the page says whether it is used, expired or wrong.
  invitation: 'refused',
  optOut: 'refused',
  // A link printed by the server; the page says whether it is used, expired or wrong.
  setup: 'refused',
  // Parent rows the reader may not open are left out of the breadcrumbs.
  ancestors: [403, 404],
  // Answers to a form on the same page, which shows the refusal beside its fields.
  tuitionCopyPreview: 'refused',
  yearPreview: 'refused',
  sessionsPreview: 'refused',
  programmeChangePreview: 'refused',
  letterBatchPreview: 'refused',
  campaignPreview: 'refused',
  // Two-factor sign-in is already set up or not allowed; the page says so.
  totpKey: 'refused',
} as const satisfies Record<string, 'any' | 'refused' | readonly number[]>

export type QuietRead = keyof typeof quietReads

/** Whether the reading component shows this failure itself, without the dialog. */
export function isQuiet(name: QuietRead | undefined, error: Error): boolean {
  if (!name) return false
  const expected: 'any' | 'refused' | readonly number[] = quietReads[name]
  if (expected === 'any') return true
  if (!(error instanceof ApiError)) return false
  return expected === 'refused' ? error.status >= 400 && error.status < 500 : expected.includes(error.status)
}
