import { sql } from 'kysely'
import type { Context } from '#server/platform/use-case.ts'

/**
 * Topic for a registration that takes no more tests: it ended, or its refusal was announced. Data: `{ registrationId,
 * freedSessionId }`; `freedSessionId` is the session whose seat is already released, or null.
 */
export const testsEnded = 'admissions.tests-ended'

/** Publishes `testsEnded` for the registrations that still have a seat or a waiting-list place, without a NOTIFY. */
export async function endTests({ tx, services }: Omit<Context, 'actor'>, registrationIds: readonly string[]) {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM unnest(${[...registrationIds]}::uuid[]) AS r (id)
    WHERE EXISTS (SELECT FROM test_seats s WHERE s.registration_id = r.id AND s.status IN ('held', 'booked'))
      OR EXISTS (SELECT FROM test_waiting_places p WHERE p.registration_id = r.id AND p.status IN ('waiting', 'offered'))`.execute(
    tx,
  )
  await services.jobs.publishMany(
    tx,
    testsEnded,
    rows.map(({ id }) => ({ registrationId: id, freedSessionId: null })),
  )
}
