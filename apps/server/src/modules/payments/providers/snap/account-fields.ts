import type { Connection } from '#server/modules/payments/providers/connection.ts'
import type { NewVirtualAccount } from '#server/modules/payments/providers/provider.ts'
import { amountText, plainName } from './fields.ts'
import { jakartaTime } from './signature.ts'

const letters = { closed: 'C', partial: 'I', open: 'O' } as const

/** How SNAP names a number: the bank's prefix padded to eight characters, and the customer's digits. */
export function numberFields({ banks }: Connection, account: { bank: string; number: string | null }) {
  const prefix = banks.find((one) => one.code === account.bank)?.prefix ?? ''
  const number = account.number ?? ''
  const partnerServiceId = prefix.padStart(8, ' ')
  const customerNo = number.slice(prefix.length)
  return { partnerServiceId, customerNo, virtualAccountNo: partnerServiceId + customerNo }
}

/** A number with its id at the portal, which is the number itself. */
export const identityFields = (connection: Connection, account: { bank: string; number: string | null }) => ({
  ...numberFields(connection, account),
  trxId: account.number ?? '',
})

/** All fields sent to the bank when a number is created or changed. */
export const accountFields = (connection: Connection, account: NewVirtualAccount) => ({
  ...identityFields(connection, account),
  virtualAccountName: plainName(account.payerName) || 'PMB',
  // An open number has no fixed sum.
  totalAmount: amountText(account.amountType === 'open' ? 0 : account.amount),
  virtualAccountTrxType: letters[account.amountType],
  expiredDate: jakartaTime(account.expiresAt),
  additionalInfo: { description: account.description },
})
