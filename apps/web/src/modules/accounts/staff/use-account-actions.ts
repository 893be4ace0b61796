import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listAccounts } from '#domain/accounts/lists.ts'
import {
  type AccountDetail,
  accountHistory,
  listSessionsOfAccount,
  readAccount,
} from '#domain/accounts/staff-endpoints.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'

type Action = {
  /** May return the changed account; the account is read again either way. */
  run: () => Promise<{ data: AccountDetail } | unknown>
  message: string
}

/** Runs an action on the account, shows success or failure and reads the account again. */
export function useAccountActions(id: string) {
  const queries = useQueryClient()
  const { mutateAsync, isPending, variables } = useMutation<unknown, ApiError, Action>({
    mutationFn: ({ run }) => run(),
    onSuccess: (_answer, { message }) => notifications.show({ color: 'green', message }),
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keyOf(readAccount, { params: { id } }) }),
        queries.invalidateQueries({ queryKey: keyOf(listSessionsOfAccount, { params: { id } }) }),
        queries.invalidateQueries({ queryKey: keyOf(accountHistory) }),
        queries.invalidateQueries({ queryKey: keyOf(listAccounts) }),
      ]),
  })
  return {
    act: (run: Action['run'], message: string) => mutateAsync({ run, message }),
    /** Success message of the running action; its button compares it to show the progress. */
    running: isPending ? variables?.message : undefined,
  }
}
