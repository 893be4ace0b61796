import { useQuery } from '@tanstack/react-query'
import type { readIntake } from '#domain/admissions/endpoints.ts'
import { call } from '#web/api/client.ts'

/**
 * Names the endpoint by its path, because importing its contract would load all admissions contracts with the first
 * page.
 */
const intake = { method: 'GET', path: '/intake' } as unknown as typeof readIntake

/** Waves and tracks open for registration. */
export const useIntake = () =>
  useQuery({
    queryKey: [intake.path, {}],
    queryFn: ({ signal }) => call(intake, {}, { signal }),
    staleTime: 60_000,
  })
