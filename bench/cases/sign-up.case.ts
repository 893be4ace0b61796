import { type Case, requestsPerSecond } from '../measure.ts'

const connections = 8
/** More accounts than either side can open in a round. */
const perRound = 16_000
let roundCount = 0

/** Sign-ups of one round, each with its own e-mail and IP address, so that none is refused as repeated. */
function signUps(path: string) {
  const round = roundCount++
  return Array.from({ length: perRound }, (_, n) => ({
    method: 'POST' as const,
    path,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `127.${2 + round}.${n >> 8}.${n & 255}` },
    body: JSON.stringify({
      name: `Calon Uji ${n}`,
      email: `calon-${round}-${n}@demo.test`,
      phone: `+62811${String(n).padStart(7, '0')}`,
      password: 'Uji-Coba-2026!',
      password_confirmation: 'Uji-Coba-2026!',
    }),
  }))
}

/** New accounts with session, mail and audit entry, against the same hash and rows by hand. */
export const signUpCase: Case = {
  goal: 0.75,
  unit: 'sign-ups/s',
  peer: 'sign-up.ts',
  ours: ({ url }) => requestsPerSecond({ url, connections, requests: signUps('/api/register') }),
  theirs: ({ peerUrl }) => requestsPerSecond({ url: peerUrl, connections, requests: signUps('/') }),
}
