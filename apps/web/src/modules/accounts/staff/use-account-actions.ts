import { listAccounts } from '#domain/accounts/lists.ts'
import { accountHistory, listSessionsOfAccount, readAccount } from '#domain/accounts/staff-endpoints.ts'
import { keyOf } from '#web/api/query.ts'
import { useAction } from '#web/api/use-action.ts'

/** Runs an action on the account and refetches the account, its sessions and its history. */
export const useAccountActions = (id: string) =>
  useAction(
    keyOf(readAccount, { params: { id } }),
    keyOf(listSessionsOfAccount, { params: { id } }),
    keyOf(accountHistory),
    keyOf(listAccounts),
  )
