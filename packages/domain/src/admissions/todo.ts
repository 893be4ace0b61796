/** Steps of an applicant, in order. */
export const todoKeys = [
  'testOffer',
  'data',
  'programme',
  'donation',
  'submit',
  'payment',
  'files',
  'test',
  'attendTest',
  'result',
  'confirmation',
  'reRegistration',
  'enrolmentFiles',
  'enrolmentData',
  'studentNumber',
] as const
export type TodoKey = (typeof todoKeys)[number]

/** `blocked`: a rule blocks the step; `waiting`: another actor's turn. */
export const todoStates = ['done', 'todo', 'blocked', 'waiting'] as const
export type TodoState = (typeof todoStates)[number]

export const todoActors = ['you', 'staff', 'bank'] as const
export type TodoActor = (typeof todoActors)[number]
