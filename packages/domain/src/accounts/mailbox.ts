/** Domain of sign-in names for accounts without an e-mail address; `.invalid` is reserved and never resolves. */
export const counterDomain = 'loket.invalid'

/** Whether mail can reach the address; false for sign-in names of accounts opened at the counter. */
export const hasMailbox = (email: string): boolean => !email.toLowerCase().endsWith(`@${counterDomain}`)
