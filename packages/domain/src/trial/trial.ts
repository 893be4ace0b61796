/** Steps of a trial, in order. */
export const trialSteps = [
  'profile',
  'submit',
  'bill',
  'pay',
  'upload',
  'approve',
  'seat',
  'decide',
  'publish',
  'confirm',
  'payAgain',
  'number',
] as const
export type TrialStep = (typeof trialSteps)[number]

/** `unneeded`: the settings require nothing here, for example a track without a test. */
export const trialStepStates = ['done', 'next', 'later', 'unneeded'] as const
export type TrialStepState = (typeof trialStepStates)[number]

/** Days after which a forgotten trial is removed. */
export const trialDays = 7
