import { readVirtualAccount } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { listVirtualAccounts } from '#domain/payments/banks/virtual-accounts/lists.ts'
import { keyOf } from '#web/api/query.ts'
import { useAction } from '#web/api/use-action.ts'

/** Runs an action on a number and refreshes the number. */
export const useNumberAction = (id: string) =>
  useAction(keyOf(readVirtualAccount, { params: { id } }), keyOf(listVirtualAccounts))
