import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readDashboard, readRegistration, readTimeline } from '#domain/admissions/endpoints.ts'
import { listTestSessions, releaseTestSeat, takeTestSeat } from '#domain/testing/endpoints.ts'
import { joinWaitingList, leaveWaitingList } from '#domain/testing/waiting-endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'

/** Milliseconds between reads, because other applicants take seats while the list is on screen. */
const refetchPauseMs = 20_000

export function useTestSchedule(registrationId: string | null) {
  const queryClient = useQueryClient()
  const params = { id: registrationId ?? '' }
  const schedule = useEndpoint(
    listTestSessions,
    { params },
    { enabled: registrationId !== null, refetchInterval: refetchPauseMs },
  )
  const refresh = () =>
    Promise.all(
      [listTestSessions, readRegistration, readDashboard, readTimeline].map((endpoint) =>
        queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
      ),
    )
  const take = useMutation({
    mutationFn: (testSessionId: string) => sendOnce(takeTestSeat, { params, body: { testSessionId } }),
    // Also after a refusal, because a session that is now full must show it.
    onSettled: refresh,
  })
  const release = useMutation({ mutationFn: () => sendOnce(releaseTestSeat, { params }), onSettled: refresh })
  const join = useMutation({
    mutationFn: (testSessionId: string) => sendOnce(joinWaitingList, { params, body: { testSessionId } }),
    onSettled: refresh,
  })
  const leave = useMutation({ mutationFn: () => sendOnce(leaveWaitingList, { params }), onSettled: refresh })
  return { schedule, take, release, join, leave }
}
