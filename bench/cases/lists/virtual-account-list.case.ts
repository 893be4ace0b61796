import { fillVirtualAccounts } from '../../fill-virtual-accounts.ts'
import { type Case, requestsPerSecond } from '../../measure.ts'

const queries = [
  '',
  'status=paid',
  'bank=sandbox-b&status=expired',
  'kind=registration_fee&status=replaced',
  'q=99009000000123',
]
const paths = (base: string) =>
  queries.flatMap((query) => [1, 3].map((page) => ({ path: `${base}?${query}&page=${page}&per_page=25` })))

/** 25 of 1,000,000 virtual accounts with names, count and sums, by an account that sees everything. */
export const virtualAccountListCase: Case = {
  goal: 0.7,
  unit: 'requests/s',
  peer: 'virtual-account-list.ts',
  async ours({ url, token, databaseUrl }) {
    await fillVirtualAccounts(databaseUrl)
    const headers = { authorization: `Bearer ${await token('keuangan@demo.test')}` }
    return requestsPerSecond({ url, headers, connections: 8, requests: paths('/api/transaksi-va') })
  },
  async theirs({ peerUrl, databaseUrl }) {
    await fillVirtualAccounts(databaseUrl)
    return requestsPerSecond({ url: peerUrl, connections: 8, requests: paths('/') })
  },
}
