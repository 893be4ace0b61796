import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  confirmRegistration,
  listRegistrations,
  readDashboard,
  readRegistration,
  readTimeline,
  withdrawRegistration,
} from '#domain/admissions/endpoints.ts'
import { listTestSessions } from '#domain/testing/endpoints.ts'
import { call } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'

export const useRegistration = (id: string) => useEndpoint(readRegistration, { params: { id } }, { enabled: id !== '' })

/** After a step everything that tells about it is read again. */
export function useRefreshRegistrations() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [readRegistration, readDashboard, readTimeline, listRegistrations, listTestSessions].map((endpoint) =>
        queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
      ),
    )
}

export function useWithdraw(id: string) {
  const refresh = useRefreshRegistrations()
  return useMutation({
    mutationFn: (reason: string) => call(withdrawRegistration, { params: { id }, body: { reason } }),
    onSettled: refresh,
  })
}

export function useConfirm(id: string) {
  const refresh = useRefreshRegistrations()
  return useMutation({
    mutationFn: (installmentPlanId: string | null) =>
      call(confirmRegistration, { params: { id }, body: { installmentPlanId } }),
    onSettled: refresh,
  })
}
