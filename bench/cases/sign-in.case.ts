import { demoPassword } from '#seeds/demo/university.ts'
import { type Case, requestsPerSecond, seconds } from '../measure.ts'

const connections = 8

/** Sign-ins, each from a different account and address, against the password hash alone. */
export const signInCase: Case = {
  goal: 0.9,
  unit: 'sign-ins/s',
  peer: 'argon2.ts',
  async ours({ url }) {
    return requestsPerSecond({
      url: `${url}/api/login`,
      connections,
      requests: Array.from({ length: 4000 }, (_, n) => ({
        method: 'POST' as const,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `127.1.${n >> 8}.${n & 255}` },
        body: JSON.stringify({ email: `camaba${1000 + n}@demo.test`, password: demoPassword }),
      })),
    })
  },
  async theirs({ peerUrl }) {
    const answer = await fetch(`${peerUrl}?seconds=${seconds}&connections=${connections}`)
    return ((await answer.json()) as { perSecond: number }).perSecond
  },
}
