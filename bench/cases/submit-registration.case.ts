import { fillDrafts } from '../fill-drafts.ts'
import { type Case, requestsPerSecond } from '../measure.ts'

const connections = 8
/** More registrations than either side can submit in a round. */
const perRound = Number(process.env.BENCH_DRAFTS ?? 8_000)

async function submit(databaseUrl: string, url: string, pathOf: (id: string) => string) {
  const drafts = await fillDrafts(databaseUrl, perRound)
  return requestsPerSecond({
    url,
    connections,
    requests: drafts.map(({ registrationId, token }) => ({
      method: 'POST' as const,
      path: pathOf(registrationId),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    })),
  })
}

/**
 * Registrations submitted, each by a different applicant, with checks, bill, messages and audit entries, against the
 * same by hand.
 */
export const submitRegistrationCase: Case = {
  goal: 0.7,
  unit: 'submissions/s',
  peer: 'submit-registration.ts',
  ours: ({ databaseUrl, url }) => submit(databaseUrl, url, (id) => `/api/pendaftaran/${id}/submit`),
  theirs: ({ databaseUrl, peerUrl }) => submit(databaseUrl, peerUrl, (id) => `/${id}`),
}
