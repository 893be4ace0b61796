export const affiliateKinds = ['alumni', 'teacher', 'student', 'partner', 'staff'] as const
export type AffiliateKind = (typeof affiliateKinds)[number]

export const applicationStates = ['pending', 'approved', 'refused'] as const

export const touchSources = ['link', 'voucher'] as const

/** Which visit of a device assigns the account to an affiliate: the first or the last within the window. */
export const touchRules = ['first', 'last'] as const

/** Days a device remembers its affiliate. */
export const touchDays = 30

/** Last path segment of a public page. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Reasons for a check before commission is paid out. */
export const holdReasons = [
  'own_account',
  'same_phone',
  'same_bank_account',
  'same_device',
  'same_address',
  'burst',
] as const
export type HoldReason = (typeof holdReasons)[number]

/** Accounts one network may open for an affiliate within an hour before staff must check. */
export const mostFromOneNetwork = 5

export const payoutStates = ['frozen', 'approved', 'paid', 'cancelled'] as const
export type PayoutState = (typeof payoutStates)[number]

export const payoutLineStates = ['frozen', 'approved', 'cancelled', 'returned'] as const

/** Progress of a referred person as the affiliate sees it; decisions appear only once public. */
export const referredStages = ['started', 'submitted', 'paid', 'enrolled', 'closed'] as const
