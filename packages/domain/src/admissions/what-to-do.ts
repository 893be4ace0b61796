/** The steps an applicant is prompted for (spec section 5), in the order they are usually taken. */
export const todoKeys = [
  'data',
  'preferredProgramme',
  'donation',
  'submit',
  'payment',
  'files',
  'testSchedule',
  'result',
  'confirmation',
  'reRegistration',
  'studentNumber',
] as const
export type TodoKey = (typeof todoKeys)[number]

export const todoStates = ['done', 'todo', 'blocked', 'waiting'] as const
export type TodoState = (typeof todoStates)[number]

/** Who has to act next. */
export const todoActors = ['you', 'staff', 'bank'] as const
export type TodoActor = (typeof todoActors)[number]

/** Which rule blocks a step; each has a sentence under locales `admissions.blocked`. */
export const blockers = [
  'profile_incomplete',
  'choices_missing',
  'donation_missing',
  'not_submitted',
  'window_closed',
  'fee_unpaid',
  'documents_missing',
  'documents_in_review',
  'documents_rejected',
  'result_not_published',
  'not_accepted',
  'not_confirmed',
  'confirmation_closed',
  'bill_unpaid',
] as const
export type Blocker = (typeof blockers)[number]

export const stages = ['register', 'pay', 'documents', 'result', 'confirm', 'enrol'] as const
export type Stage = (typeof stages)[number]
