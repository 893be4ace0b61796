import { type Case, requestsPerSecond } from '../../measure.ts'
import { spotlightQueries } from '../../spotlight-queries.ts'

/**
 * Global search over 200,000 registrations with related rows and 25,700 schools, by an account that sees everything.
 */
export const spotlightCase: Case = {
  goal: 0.7,
  unit: 'requests/s',
  peer: 'spotlight.ts',
  async ours({ url, token }) {
    return requestsPerSecond({
      url,
      headers: { authorization: `Bearer ${await token('administrator@demo.test')}` },
      connections: 8,
      requests: spotlightQueries.map((q) => ({ path: `/api/search?${new URLSearchParams({ q })}` })),
    })
  },
  async theirs({ peerUrl }) {
    return requestsPerSecond({
      url: peerUrl,
      connections: 8,
      requests: spotlightQueries.map((q) => ({ path: `/?${new URLSearchParams({ q })}` })),
    })
  },
}
