import { Secret, TOTP } from 'otpauth'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** The code an authenticator app shows for a key at a time. */
export const codeAt = (key: string, now: Date) =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')), digits: 6, period: 30 }).generate({
    timestamp: now.getTime(),
  })

/** Sets two-factor sign-in up for somebody as the screens do; the clock stands still afterwards, a step later. */
export async function withTotp(t: TestApp, actor: TestActor) {
  const now = t.clock.now()
  const started = await actor.post('/account/totp')
  const { key } = started.json().data as { key: string }
  const confirmed = await actor.post('/account/totp/confirm', { code: codeAt(key, now) })
  if (confirmed.statusCode !== 200) throw new Error(`two-factor sign-in was not set up: ${confirmed.body}`)
  const { recoveryCodes } = confirmed.json().data as { recoveryCodes: string[] }
  t.clock.set(new Date(now.getTime() + 30_000))
  return { key, recoveryCodes, code: (at = t.clock.now()) => codeAt(key, at) }
}
