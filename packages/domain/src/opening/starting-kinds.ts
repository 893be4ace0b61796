/** Kinds of the starting set, in the order in which they are written. */
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
