import { useMutation, useQueryClient } from '@tanstack/react-query'
import { confirmRegistration, readDashboard, readRegistration, readTimeline } from '#domain/admissions/endpoints.ts'
import { listRegistrations } from '#domain/admissions/lists.ts'
import type { Answer } from '#domain/endpoint.ts'
import { listTestSessions } from '#domain/testing/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'

type Detail = Answer<typeof readRegistration>

/** `lookAgainMs`: milliseconds until a registration on its way to the next status is read again. */
export const useRegistration = (
  id: string,
  lookAgainMs: (registration: Detail | undefined) => number | false = () => false,
) =>
  useEndpoint(
    readRegistration,
    { params: { id } },
    { enabled: id !== '', refetchInterval: ({ state }) => lookAgainMs(state.data) },
  )

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

export function useConfirm(id: string) {
  const send = useSend(confirmRegistration)
  const refresh = useRefreshRegistrations()
  return useMutation({
    mutationFn: (installmentPlanId: string | null) => send({ params: { id }, body: { installmentPlanId } }),
    onSettled: refresh,
  })
}
