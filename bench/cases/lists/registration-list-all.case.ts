import { type Case, requestsPerSecond } from '../../measure.ts'

/** 25 of all registrations, newest first, first and third page, with joined names and total. */
export const registrationListAllCase: Case = {
  goal: 0.6,
  unit: 'requests/s',
  peer: 'registration-list-all.ts',
  async ours({ url, token }) {
    return requestsPerSecond({
      url,
      headers: { authorization: `Bearer ${await token('panitia@demo.test')}` },
      connections: 8,
      requests: [1, 3].map((page) => ({ path: `/api/pendaftaran?page=${page}&per_page=25` })),
    })
  },
  async theirs({ peerUrl }) {
    return requestsPerSecond({
      url: peerUrl,
      connections: 8,
      requests: [1, 3].map((page) => ({ path: `/?page=${page}` })),
    })
  },
}
