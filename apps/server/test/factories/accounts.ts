import { Secret, TOTP } from 'otpauth'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** Code an authenticator app shows for a key at a time. */
export const codeAt = (key: string, now: Date) =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')), digits: 6, period: 30 }).generate({
    timestamp: now.getTime(),
  })

/**
 * Sets up two-factor sign-in like the screens; leaves the clock fixed 30 seconds later, so that a new code is valid.
 */
export async function withTotp(t: TestApp, actor: TestActor) {
  const now = t.clock.now()
  const setup = await actor.post('/account/totp')
  const { key } = setup.json().data as { key: string }
  const confirmation = await actor.post('/account/totp/confirm', { code: codeAt(key, now) })
  if (confirmation.statusCode !== 200) throw new Error(`two-factor sign-in was not set up: ${confirmation.body}`)
  const { recoveryCodes } = confirmation.json().data as { recoveryCodes: string[] }
  t.clock.set(new Date(now.getTime() + 30_000))
  return { key, recoveryCodes, code: (moment = t.clock.now()) => codeAt(key, moment) }
}
