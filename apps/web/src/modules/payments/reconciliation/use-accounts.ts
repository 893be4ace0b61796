import { listBankAccounts } from '#domain/payments/reconciliation/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'

/** The accounts whose statements are read, as choices of a filter as well. */
export function useAccounts() {
  const { data, error, refetch } = useEndpoint(listBankAccounts)
  const accounts = data?.data.accounts ?? []
  return {
    loaded: data !== undefined,
    error,
    refetch,
    accounts,
    /** Accounts that are asked for and not approved yet. */
    pending: data?.data.pending ?? [],
    banks: data?.data.banks ?? [],
    choices: accounts.map(({ id, name }) => ({ value: id, label: name })),
  }
}
