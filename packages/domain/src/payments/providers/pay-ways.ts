/** How a number is paid: by a transfer to it, by scanning a QRIS code, or in the app of a wallet behind a link. */
export const payWays = ['transfer', 'qris', 'wallet'] as const
export type PayWay = (typeof payWays)[number]

/** Most rupiah of one payment by QRIS (Bank Indonesia); the wallets behind the gateways hold no more either. */
export const highestQrisAmount = 10_000_000

/** Whether an amount in rupiah can be paid this way at once. */
export const takesAmount = (way: PayWay, amount: number): boolean => way === 'transfer' || amount <= highestQrisAmount

const wayOfChannel: Record<string, PayWay> = {
  qris: 'qris',
  gopay: 'wallet',
  shopeepay: 'wallet',
  QRIS: 'qris',
  ID_DANA: 'wallet',
  ID_SHOPEEPAY: 'wallet',
  ID_LINKAJA: 'wallet',
}
export const payWayOf = (channel: string | null): PayWay => (channel && wayOfChannel[channel]) || 'transfer'
