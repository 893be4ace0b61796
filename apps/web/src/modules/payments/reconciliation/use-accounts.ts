import { listBankAccounts } from '#domain/payments/reconciliation/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'

/** Bank accounts with statements, also as filter options. */
export function useAccounts() {
  const { data, error, refetch } = useEndpoint(listBankAccounts)
  const accounts = data?.data.accounts ?? []
  return {
    loaded: data !== undefined,
    error,
    refetch,
    accounts,
    /** Accounts awaiting approval. */
    pending: data?.data.pending ?? [],
    banks: data?.data.banks ?? [],
    choices: accounts.map(({ id, name }) => ({ value: id, label: name })),
  }
}
