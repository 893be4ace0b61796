export const affiliateKinds = ['alumni', 'teacher', 'student', 'partner', 'staff'] as const
export type AffiliateKind = (typeof affiliateKinds)[number]

export const applicationStates = ['pending', 'approved', 'refused'] as const

export const touchSources = ['link', 'voucher'] as const

/** Which touch of a device brings the account: the first or the last within the window. */
export const touchRules = ['first', 'last'] as const

/** Days for which a device remembers by whom it came. */
export const touchDays = 30

/** Last part of the address of a public page. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Reasons to look before commission is paid out. */
export const holdReasons = [
  'own_account',
  'same_phone',
  'same_bank_account',
  'same_device',
  'same_address',
  'burst',
] as const
export type HoldReason = (typeof holdReasons)[number]

/** Accounts that one network may open for an affiliate within an hour before staff look. */
export const mostFromOneNetwork = 5

export const payoutStates = ['frozen', 'approved', 'paid', 'cancelled'] as const
export type PayoutState = (typeof payoutStates)[number]

export const payoutLineStates = ['frozen', 'approved', 'cancelled', 'returned'] as const

/** How far a referred person has come, as the affiliate sees it: decisions stay private until they are public. */
export const referredStages = ['started', 'submitted', 'paid', 'enrolled', 'closed'] as const
