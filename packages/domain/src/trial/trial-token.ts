/** Start of the token of a session that sees the product as a test applicant: `trial.<id>.<secret>`. */
export const trialTokenStart = 'trial.'
