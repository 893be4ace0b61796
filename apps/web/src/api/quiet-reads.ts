import { ApiError } from './client.ts'

/**
 * Reads whose failure may be an answer: with these statuses no dialog opens, because the place that asked shows the
 * refusal itself. Every other failed read opens the dialog. `refused` is any status from 400 to 499.
 */
export const quietReads = {
  // The bell asks again every minute beside whatever the reader does; its panel says that the messages are missing.
  bell: 'any',
  // A code somebody scanned or typed: an unknown one is the answer of the page.
  cardCheck: [404, 422],
  receiptCheck: [404, 422],
  sandboxNumber: [404, 422],
  // A link from a mail that is used up, expired or wrong: the page says which.
  invitation: 'refused',
  // Crumbs of rows the reader may not open: the trail is shorter then.
  ancestors: [403, 404],
  // Answers to a form on the same page: the refusal stands beside its fields.
  tuitionCopyPreview: 'refused',
  yearPreview: 'refused',
  programmeChangePreview: 'refused',
  // Two-factor sign-in is set up already or not allowed: the page says so.
  totpKey: 'refused',
} as const satisfies Record<string, 'any' | 'refused' | readonly number[]>

export type QuietRead = keyof typeof quietReads

/** Whether the component that reads shows this failure itself, without the dialog. */
export function isQuiet(name: QuietRead | undefined, error: Error): boolean {
  if (!name) return false
  const expected: 'any' | 'refused' | readonly number[] = quietReads[name]
  if (expected === 'any') return true
  if (!(error instanceof ApiError)) return false
  return expected === 'refused' ? error.status >= 400 && error.status < 500 : expected.includes(error.status)
}
