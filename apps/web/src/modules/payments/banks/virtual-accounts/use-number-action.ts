import { listVirtualAccounts, readVirtualAccount } from '#domain/payments/banks/virtual-account-endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import { useAction } from '#web/modules/payments/use-action.ts'

/** Something done with a number. */
export const useNumberAction = (id: string) =>
  useAction(keyOf(readVirtualAccount, { params: { id } }), keyOf(listVirtualAccounts))
