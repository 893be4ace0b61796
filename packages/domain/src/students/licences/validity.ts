/** Remaining validity of a driving licence. */
export const licenceValidities = ['expired', 'soon', 'valid'] as const
export type LicenceValidity = (typeof licenceValidities)[number]

/** A licence expiring within so many days is listed as expiring soon, because renewing takes some weeks. */
export const soonDays = 60

/** Review state of a licence; `no_scan`: the applicant has not sent a picture yet. */
export const licenceStates = ['no_scan', 'uploaded', 'approved', 'rejected'] as const
export type LicenceState = (typeof licenceStates)[number]
