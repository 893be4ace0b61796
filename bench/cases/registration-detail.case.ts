import { type Case, requestsPerSecond } from '../measure.ts'
import { someRegistrations } from '../some-registrations.ts'

const count = 200

/** The page of one of 200 registrations in every status, with bills, documents, seat and next steps. */
export const registrationDetailCase: Case = {
  goal: 0.6,
  unit: 'requests/s',
  peer: 'registration-detail.ts',
  async ours({ url, token, databaseUrl }) {
    const registrations = await someRegistrations(databaseUrl, count)
    return requestsPerSecond({
      url,
      headers: { authorization: `Bearer ${await token('panitia@demo.test')}` },
      connections: 8,
      requests: registrations.map(({ id }) => ({ path: `/api/pendaftaran/${id}` })),
    })
  },
  async theirs({ peerUrl, databaseUrl }) {
    const registrations = await someRegistrations(databaseUrl, count)
    const requests = registrations.map(({ id }) => ({ path: `/?id=${id}` }))
    return requestsPerSecond({ url: peerUrl, connections: 8, requests })
  },
}
