import { readProvider } from '#domain/payments/providers/endpoints.ts'
import { listProviders } from '#domain/payments/providers/lists.ts'
import { keyOf } from '#web/api/query.ts'
import { useAction } from '#web/api/use-action.ts'

/** Runs an action on a connection and refreshes the connection. */
export const useProviderAction = (id: string) =>
  useAction(keyOf(readProvider, { params: { id } }), keyOf(listProviders))
