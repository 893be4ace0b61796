import { type Case, requestsPerSecond } from '../../measure.ts'

const queries = ['', 'status=open', 'kind=registration_fee', 'kind=re_registration&status=paid']
const paths = (base: string) =>
  queries.flatMap((query) => [1, 3].map((page) => ({ path: `${base}?${query}&page=${page}` })))

/** 25 bills, of all or of a few kinds, newest first, with names, exact count and exact sums. */
export const billsListCase: Case = {
  goal: 0.6,
  unit: 'requests/s',
  peer: 'bills-list.ts',
  async ours({ url, token }) {
    const headers = { authorization: `Bearer ${await token('keuangan@demo.test')}` }
    return requestsPerSecond({ url, headers, connections: 8, requests: paths('/api/bills') })
  },
  async theirs({ peerUrl }) {
    return requestsPerSecond({ url: peerUrl, connections: 8, requests: paths('/') })
  },
}
