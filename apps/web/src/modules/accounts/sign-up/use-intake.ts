import { useQuery } from '@tanstack/react-query'
import type { readIntake } from '#domain/admissions/endpoints.ts'
import { call } from '#web/api/client.ts'

/** Named by its address only: the first page must not load the contracts of the whole admission process. */
const intake = { method: 'GET', path: '/intake' } as unknown as typeof readIntake

/** Waves and tracks one may register for. */
export const useIntake = () =>
  useQuery({
    queryKey: [intake.path, {}],
    queryFn: ({ signal }) => call(intake, {}, { signal }),
    staleTime: 60_000,
  })
