import { useQuery } from '@tanstack/react-query'
import { authOptions } from '#domain/accounts/endpoints.ts'
import { call } from '#web/api/client.ts'

/** Configured ways to sign in, and the version of the privacy notice in force. */
export const useAuthOptions = () =>
  useQuery({
    queryKey: [authOptions.path],
    queryFn: ({ signal }) => call(authOptions, {}, { signal }),
    staleTime: 300_000,
  })
