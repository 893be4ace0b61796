import { type Case, requestsPerSecond } from './measure.ts'

/** A token-checked small answer beside a Fastify that only says hello. */
export const permissionsCase: Case = {
  goal: 0.6,
  unit: 'requests/s',
  peer: 'hello.ts',
  async ours({ url, token }) {
    return requestsPerSecond({
      url: `${url}/api/auth/permissions`,
      headers: { authorization: `Bearer ${await token('marketing@demo.test')}` },
    })
  },
  async theirs({ peerUrl }) {
    return requestsPerSecond({ url: peerUrl })
  },
}
