import { customerDigits } from './virtual-account-number.ts'

const openToAll = {
  digits: customerDigits,
  first: 1,
  last: 9_999_999_999,
  amountType: 'partial',
  offered: true,
} as const

/** Banks of the demo bank, with invented names that no real bank has. */
export const sandboxBanks = [
  { code: 'sandbox-a', name: 'Bank Contoh', prefix: '99001', ...openToAll },
  { code: 'sandbox-b', name: 'Bank Peraga', prefix: '99002', ...openToAll },
] as const
