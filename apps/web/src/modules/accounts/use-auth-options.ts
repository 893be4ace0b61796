import { useQuery } from '@tanstack/react-query'
import { authOptions } from '#domain/accounts/endpoints.ts'
import { call } from '#web/api/client.ts'

/** Configured sign-in methods, and the current version of the privacy notice. */
export const useAuthOptions = ({ enabled = true } = {}) =>
  useQuery({
    queryKey: [authOptions.path],
    queryFn: ({ signal }) => call(authOptions, {}, { signal }),
    staleTime: 300_000,
    enabled,
  })
