import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readIntake } from './calls.ts'

/** Waves and tracks one may register for; shown beside the form, so a failure says so there and opens no dialog. */
export const useIntake = () =>
  useQuery({
    queryKey: [readIntake.path, {}],
    queryFn: ({ signal }) => call(readIntake, {}, { signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
