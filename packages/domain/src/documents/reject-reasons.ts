/**
 * Quick reasons for reviewers. A rejection keeps the key in place of a text, and every reader gets its sentence in their
 * language from locales `documents.reasons`.
 */
export const rejectReasons = [
  'blurred',
  'cut_off',
  'wrong_document',
  'name_differs',
  'expired',
  'not_legalised',
  'pages_missing',
] as const

type RejectReason = (typeof rejectReasons)[number]

/** The reason of a rejection as a sentence: the translated one of a quick reason, otherwise the reviewer's own text. */
export const reasonSentence = (reason: string, translate: (key: `reasons.${RejectReason}`) => string): string =>
  (rejectReasons as readonly string[]).includes(reason) ? translate(`reasons.${reason as RejectReason}`) : reason
