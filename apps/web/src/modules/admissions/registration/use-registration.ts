import { useMutation, useQueryClient } from '@tanstack/react-query'
import { confirmRegistration, readDashboard, readRegistration, readTimeline } from '#domain/admissions/endpoints.ts'
import { listRegistrations } from '#domain/admissions/lists.ts'
import type { Answer } from '#domain/endpoint.ts'
import { listTestSessions } from '#domain/testing/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'

type Detail = Answer<typeof readRegistration>

/** `lookAgainMs`: milliseconds until the next read, false to stop. */
export const useRegistration = (
  id: string,
  lookAgainMs: (registration: Detail | undefined) => number | false = () => false,
) =>
  useEndpoint(
    readRegistration,
    { params: { id } },
    { enabled: id !== '', refetchInterval: ({ state }) => lookAgainMs(state.data) },
  )

/** Returns a function that refetches the registration and everything that depends on it. */
export function useRefreshRegistrations() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [readRegistration, readDashboard, readTimeline, listRegistrations, listTestSessions].map((endpoint) =>
        queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
      ),
    )
}

export function useConfirm(id: string) {
  const refresh = useRefreshRegistrations()
  return useMutation({
    mutationFn: (installmentPlanId: string | null) =>
      sendOnce(confirmRegistration, { params: { id }, body: { installmentPlanId } }),
    onSettled: refresh,
  })
}
