import { useEffect, useState } from 'react'
import { listRegistrationBills } from '#domain/payments/bills/endpoints.ts'
import { isOpen } from '#domain/payments/bills/virtual-account-status.ts'
import { useEndpoint } from '#web/api/query.ts'

const pollMs = 5_000

/** Bills of a registration; polls while a transfer number waits for its payment. */
export function useBills(registrationId: string) {
  return useEndpoint(
    listRegistrationBills,
    { params: { id: registrationId } },
    {
      refetchInterval: (query) =>
        query.state.data?.data.bills.some((bill) => bill.virtualAccounts.some(({ status }) => isOpen(status)))
          ? pollMs
          : false,
    },
  )
}

/** Current time in milliseconds, updated every second while `running`. */
export function useNow(running: boolean) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [running])
  return now
}
