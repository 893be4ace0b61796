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
  /** Gives the account as it is afterwards, or nothing where it has to be read again. */
  run: () => Promise<{ data: AccountDetail } | unknown>
  told: string
}

/** Runs an action on the account, tells that it is done or why not, and shows what is true afterwards. */
export function useAccountActions(id: string) {
  const queries = useQueryClient()
  const { mutateAsync, isPending, variables } = useMutation<unknown, ApiError, Action>({
    mutationFn: ({ run }) => run(),
    onSuccess: (_answer, { told }) => notifications.show({ color: 'green', message: told }),
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
    act: (run: Action['run'], told: string) => mutateAsync({ run, told }),
    /** The sentence of the action that is under way, to show it on its button. */
    running: isPending ? variables?.told : undefined,
  }
}
