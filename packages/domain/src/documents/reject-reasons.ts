/** Quick reasons a reviewer picks from; their words are in locales `documents.reasons`, the applicant gets the sentence. */
export const rejectReasons = [
  'blurred',
  'cut_off',
  'wrong_document',
  'name_differs',
  'expired',
  'not_legalised',
  'pages_missing',
] as const
