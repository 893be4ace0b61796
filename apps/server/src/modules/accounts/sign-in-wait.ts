/** Failed sign-ins before the account has to wait. */
export const freeSignInAttempts = 5
const longestWaitSeconds = 30 * 60

/**
 * Seconds until the next attempt: 30 after the fifth consecutive failure, doubling up to 1800. Counted per account, so
 * guessing from many addresses is no faster.
 */
export const signInWaitSeconds = (failures: number) =>
  failures < freeSignInAttempts
    ? 0
    : Math.min(30 * 2 ** Math.min(failures - freeSignInAttempts, 10), longestWaitSeconds)

/** Seconds until another verification or reset mail can be sent. */
export const resendWaitSeconds = 60
export const verifyLinkHours = 24
export const resetLinkHours = 1
