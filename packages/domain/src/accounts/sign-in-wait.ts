/** Failed sign-ins an account forgives before it makes one wait. */
export const freeSignInAttempts = 5
const longestWaitSeconds = 30 * 60

/**
 * Seconds before the next attempt after so many failures in a row: 30 s after the fifth, doubling up to half an hour.
 * The wait is per account, so guessing from many addresses is as slow as from one.
 */
export const signInWaitSeconds = (failures: number) =>
  failures < freeSignInAttempts
    ? 0
    : Math.min(30 * 2 ** Math.min(failures - freeSignInAttempts, 10), longestWaitSeconds)

/** Seconds a reader waits before another verification or reset mail is sent. */
export const resendWaitSeconds = 60
export const verifyLinkHours = 24
export const resetLinkHours = 1
