import { type Case, requestsPerSecond } from '../../measure.ts'

/** 25 of 200,000 registrations by wave, programme and status, newest first, with joined names and total. */
export const registrationListCase: Case = {
  goal: 0.7,
  unit: 'requests/s',
  peer: 'registration-list.ts',
  async ours({ url, token, ids }) {
    const query = new URLSearchParams({
      waveId: ids.wave,
      programmeId: ids.programme,
      status: 'verified',
      per_page: '25',
    })
    return requestsPerSecond({
      url: `${url}/api/pendaftaran?${query}`,
      headers: { authorization: `Bearer ${await token('panitia@demo.test')}` },
      connections: 8,
    })
  },
  async theirs({ peerUrl, ids }) {
    const query = new URLSearchParams({ waveId: ids.wave, programmeId: ids.programme, status: 'verified' })
    return requestsPerSecond({ url: `${peerUrl}?${query}`, connections: 8 })
  },
}
