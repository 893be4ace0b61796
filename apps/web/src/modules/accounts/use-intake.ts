import { useQuery } from '@tanstack/react-query'
import { readIntake } from '#domain/admissions/endpoints.ts'
import { call } from '../../api/client.ts'

/** Waves and tracks one may register for; shown beside the form, so a failure says so there and opens no dialog. */
export const useIntake = () =>
  useQuery({
    queryKey: [readIntake.path, {}],
    queryFn: ({ signal }) => call(readIntake, {}, { signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
