import crypto from 'node:crypto'

/**
 * The number of a code or link, which has none at the gateway: 18 digits made from the portal's id. Staff find the
 * payment by it, and every report of the payment gives the same digits.
 */
export const walletNumber = (id: string) =>
  `9${(crypto.createHash('sha256').update(id).digest().readBigUInt64BE() % 10n ** 17n).toString().padStart(17, '0')}`

/** Whether a link may be shown: a page, or an app of a wallet. */
export const isWalletLink = (url: string) =>
  url.length <= 1000 && /^(https|gojek|gopay|shopeeid|shopeepay|dana|linkaja):\/\//i.test(url)
