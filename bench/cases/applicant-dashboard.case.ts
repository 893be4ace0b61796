import { type Case, requestsPerSecond } from '../measure.ts'
import { someRegistrations } from '../some-registrations.ts'

const count = 24

/** The dashboards of 24 applicants: profile, registrations with next steps, messages. */
export const applicantDashboardCase: Case = {
  goal: 0.6,
  unit: 'requests/s',
  peer: 'applicant-dashboard.ts',
  async ours({ url, token, databaseUrl }) {
    const applicants = await someRegistrations(databaseUrl, count)
    const tokens = await Promise.all(applicants.map(({ email }) => token(email)))
    return requestsPerSecond({
      url,
      connections: 8,
      requests: tokens.map((value) => ({ path: '/api/dashboard', headers: { authorization: `Bearer ${value}` } })),
    })
  },
  async theirs({ peerUrl, databaseUrl }) {
    const applicants = await someRegistrations(databaseUrl, count)
    const requests = applicants.map(({ accountId }) => ({ path: `/?account=${accountId}` }))
    return requestsPerSecond({ url: peerUrl, connections: 8, requests })
  },
}
