/** Rules the verifier checks, in display order. */
export const verifierRules = [
  'everybody',
  'scores',
  'total',
  'lot',
  'rank',
  'minimum',
  'quota',
  'no_empty_place',
  'no_envy',
  'reserve',
] as const
export type VerifierRule = (typeof verifierRules)[number]
