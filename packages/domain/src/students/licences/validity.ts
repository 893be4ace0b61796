/** How long a driving licence is still valid. */
export const licenceValidities = ['expired', 'soon', 'valid'] as const
export type LicenceValidity = (typeof licenceValidities)[number]

/** A licence that expires within so many days is listed as expiring soon: renewing takes some weeks. */
export const soonDays = 60

/** Where the review of a licence stands; `no_scan`: the applicant has not sent a picture yet. */
export const licenceStates = ['no_scan', 'uploaded', 'approved', 'rejected'] as const
export type LicenceState = (typeof licenceStates)[number]
