/** Kinds of rows in the starting set, in the order of writing. */
export const startingKinds = [
  'degreeLevels',
  'entryLevels',
  'classProgrammes',
  'tracks',
  'trackFiles',
  'tests',
  'feeComponents',
  'installmentPlans',
  'messageTemplates',
  'privacyNotice',
] as const
export type StartingKind = (typeof startingKinds)[number]
