import { type Case, requestsPerSecond } from '../measure.ts'

/** Registrations by status, four queues, open waves and messages of an account that sees all. */
export const staffDashboardCase: Case = {
  goal: 0.6,
  unit: 'requests/s',
  peer: 'staff-dashboard.ts',
  async ours({ url, token }) {
    const headers = { authorization: `Bearer ${await token('administrator@demo.test')}` }
    return requestsPerSecond({ url: `${url}/api/dashboard`, headers, connections: 8 })
  },
  async theirs({ peerUrl }) {
    return requestsPerSecond({ url: `${peerUrl}?email=administrator@demo.test`, connections: 8 })
  },
}
