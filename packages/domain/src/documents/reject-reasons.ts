/**
 * Quick reasons for reviewers. A rejection stores the key instead of a text, and each reader gets the sentence in their
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

/** Reason of a rejection as a sentence: translated for a quick reason, otherwise the reviewer's text. */
export const reasonSentence = (reason: string, translate: (key: `reasons.${RejectReason}`) => string): string =>
  (rejectReasons as readonly string[]).includes(reason) ? translate(`reasons.${reason as RejectReason}`) : reason
