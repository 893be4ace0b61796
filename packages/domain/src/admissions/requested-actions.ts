import { type RegistrationAction, registrationTransitions } from './registration-status.ts'

/** Actions at `/pendaftaran/:id/<path>`. Enrolment happens when a student number is issued. */
export const registrationActions = [
  'submit',
  'verify',
  'accept',
  'reject',
  'revertDecision',
  'confirm',
  'decline',
  'revertConfirmation',
  'withdraw',
  'cancel',
  'revertWithdrawal',
] as const satisfies RegistrationAction[]
export type RequestedAction = (typeof registrationActions)[number]

export const actionPaths = {
  submit: 'submit',
  verify: 'verify',
  accept: 'accept',
  reject: 'reject',
  revertDecision: 'revert-decision',
  confirm: 'confirm',
  decline: 'decline',
  revertConfirmation: 'revert-confirmation',
  withdraw: 'withdraw',
  cancel: 'cancel',
  revertWithdrawal: 'revert-withdrawal',
} as const satisfies Record<RequestedAction, string>

/** Actions that can also run for many registrations at once. */
export const bulkActions = ['verify', 'accept', 'reject', 'confirm'] as const satisfies RequestedAction[]
export type BulkAction = (typeof bulkActions)[number]

export const needsReason = (action: RequestedAction): boolean => 'needsReason' in registrationTransitions[action]
