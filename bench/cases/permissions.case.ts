import { type Case, requestsPerSecond } from '../measure.ts'

/** A small answer with a token check, against a minimal Fastify server. */
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
