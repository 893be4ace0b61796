/** Quick reasons for reviewers; their texts are in locales `documents.reasons`, and applicants receive the sentence. */
export const rejectReasons = [
  'blurred',
  'cut_off',
  'wrong_document',
  'name_differs',
  'expired',
  'not_legalised',
  'pages_missing',
] as const
