/** Prefix of session tokens that view the product as a test applicant: `trial.<id>.<secret>`. */
export const trialTokenStart = 'trial.'
