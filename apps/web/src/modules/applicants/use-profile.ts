import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { readDashboard, readRegistration } from '#domain/admissions/endpoints.ts'
import { getProfile, type Profile, profileOptions } from '#domain/applicants/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'

export const useProfile = () => useEndpoint(getProfile, {})
export const useProfileOptions = () => useEndpoint(profileOptions, {}, { staleTime: 3_600_000 })

/**
 * Returns a function that puts a saved profile into the query cache and refetches queries that count its missing
 * answers. The first profile also refreshes the session, which unlocks the other screens.
 */
export function useKeepProfile() {
  const queryClient = useQueryClient()
  const session = useSession()
  return useCallback(
    async (profile: Profile) => {
      queryClient.setQueryData(keyOf(getProfile, {}), { data: profile })
      await Promise.all(
        [readDashboard, readRegistration].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
        ),
      )
      if (!session.profile) await session.refresh()
    },
    [queryClient, session],
  )
}
