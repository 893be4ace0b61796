/** Kinds of counters; a restore advances all of them. `school` issues provisional school numbers. */
export const counterKinds = [
  'registration',
  'bill',
  'receipt',
  'refund',
  'student',
  'virtual-account',
  'school',
  'letter',
  'paper-receipt',
  'payout',
] as const

export type CounterKind = (typeof counterKinds)[number]

/** Scope of a gap for every counter of its kind that starts while the restore is open. */
export const anyScope = '*'
