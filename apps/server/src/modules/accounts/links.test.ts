import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asApplicant, asStaff, type TestActor, testPassword } from '#server-test/actors.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { accountOf } = readersOf(() => t)

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.reset())

let visitor = 0
const post = (url: string, body: object) =>
  t.app.inject({ method: 'POST', url: `/api${url}`, payload: body, remoteAddress: `10.0.1.${++visitor % 250}` })

const mailed = (to: string, event: string) =>
  t.db
    .selectFrom('messages')
    .select(['link', 'createdAt'])
    .where('toAddress', '=', to)
    .where('event', '=', event)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
const tokenIn = async (to: string, event: string) => /([\w-]{43})\?/.exec((await mailed(to, event))[0]!.link!)![1]!
const advanceSeconds = (seconds: number) => t.clock.set(new Date(t.clock.now().getTime() + seconds * 1000))

/** An unverified applicant with a verification mail sent just now. */
async function unverified(): Promise<TestActor> {
  const actor = await asApplicant(t, { emailVerified: false })
  expect((await actor.post('/auth/verify-email/resend')).statusCode).toBe(200)
  return actor
}

async function resetLink(email: string) {
  expect((await post('/forgot_password', { email })).statusCode).toBe(200)
  await expect.poll(async () => (await mailed(email, 'reset-password')).length).toBeGreaterThan(0)
  return tokenIn(email, 'reset-password')
}
const newPassword = { password: 'Teh-Manis-33', password_confirmation: 'Teh-Manis-33' }

describe('confirming an address', () => {
  it('works without signing in; a second click says that it is already confirmed', async () => {
    const actor = await unverified()
    const token = await tokenIn(actor.email, 'verify-email')
    const first = await post('/auth/verify-email', { token })
    expect(first.json().data).toMatchObject({ email: actor.email, changed: false, already: false })
    const { emailVerifiedAt } = await accountOf(actor.accountId)
    advanceSeconds(2 * 24 * 3600)
    const second = await post('/auth/verify-email', { token })
    expect(second.json().data).toMatchObject({ email: actor.email, already: true })
    expect((await accountOf(actor.accountId)).emailVerifiedAt).toEqual(emailVerifiedAt)
  })

  it('clicked ten times at the same moment on several devices counts once, without errors', async () => {
    const actor = await unverified()
    const token = await tokenIn(actor.email, 'verify-email')
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/auth/verify-email', { token })))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(10).fill(200))
    expect(answers.filter((answer) => !answer.json().data.already)).toHaveLength(1)
    expect(await mailed(actor.email, 'account-welcome')).toHaveLength(1)
  })

  it("needs more than opening the page of the mail, which is in the mail's language", async () => {
    const actor = await unverified()
    await t.db.updateTable('accounts').set({ language: 'id' }).where('id', '=', actor.accountId).execute()
    advanceSeconds(61)
    await actor.post('/auth/verify-email/resend')
    const { link } = (await mailed(actor.email, 'verify-email'))[0]!
    expect(link).toMatch(/\/confirm-email\/[\w-]{43}\?lang=id$/)
    const token = await tokenIn(actor.email, 'verify-email')
    for (const url of [new URL(link!).pathname, `/api/auth/verify-email?token=${token}`])
      for (const method of ['GET', 'HEAD'] as const) await t.app.inject({ method, url })
    expect((await accountOf(actor.accountId)).emailVerifiedAt).toBeNull()
  })

  it('is refused after a day, with an invented token, and after a newer link was sent', async () => {
    const actor = await unverified()
    const token = await tokenIn(actor.email, 'verify-email')
    expect((await post('/auth/verify-email', { token: 'made-up' })).json().code).toBe('link_invalid')
    advanceSeconds(61)
    await actor.post('/auth/verify-email/resend')
    expect((await post('/auth/verify-email', { token })).json().code).toBe('link_replaced')
    const newer = await tokenIn(actor.email, 'verify-email')
    advanceSeconds(24 * 3600)
    expect((await post('/auth/verify-email', { token: newer })).json().code).toBe('link_expired')
    expect((await accountOf(actor.accountId)).emailVerifiedAt).toBeNull()
  })

  it('is mailed again after a minute, and says how long to wait until then', async () => {
    t.clock.set('2026-11-20T03:00:00Z')
    const actor = await unverified()
    t.clock.set('2026-11-20T03:00:20Z')
    const tooEarly = await actor.post('/auth/verify-email/resend')
    expect(tooEarly.statusCode).toBe(429)
    expect(tooEarly.json()).toMatchObject({ code: 'resend_too_early', message: expect.stringContaining('40 seconds') })
    expect((await actor.get('/auth/verify-email')).json().data).toMatchObject({ waitSeconds: 40, verified: false })
    t.clock.set('2026-11-20T03:01:00Z')
    expect((await actor.post('/auth/verify-email/resend')).json().data.waitSeconds).toBe(60)
  })

  it('requested twice at the same moment is mailed once', async () => {
    const actor = await asApplicant(t, { emailVerified: false })
    const answers = await Promise.all([1, 2, 3, 4].map(() => actor.post('/auth/verify-email/resend')))
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    expect(await mailed(actor.email, 'verify-email')).toHaveLength(1)
  })

  it('is mailed at most six times an hour, because the address may be a stranger’s', async () => {
    const actor = await unverified()
    const codes = []
    for (let time = 0; time < 7; time++) {
      advanceSeconds(61)
      codes.push((await actor.post('/auth/verify-email/resend')).statusCode)
    }
    expect(codes).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await mailed(actor.email, 'verify-email')).toHaveLength(6)
    advanceSeconds(3600)
    expect((await actor.post('/auth/verify-email/resend')).statusCode).toBe(200)
  })

  it('is not mailed again after it is confirmed', async () => {
    const actor = await asApplicant(t)
    expect((await actor.post('/auth/verify-email/resend')).json().code).toBe('email_already_verified')
  })
})

describe('another address', () => {
  it('replaces an unconfirmed address at once and ends its link', async () => {
    const actor = await unverified()
    const old = await tokenIn(actor.email, 'verify-email')
    const answer = await actor.post('/account/email', { email: 'Baru.Sekali@example.com' })
    expect(answer.json().data).toMatchObject({ email: 'Baru.Sekali@example.com', pendingEmail: null, verified: false })
    expect((await post('/auth/verify-email', { token: old })).statusCode).toBe(410)
    const token = await tokenIn('Baru.Sekali@example.com', 'verify-email')
    expect((await post('/auth/verify-email', { token })).statusCode).toBe(200)
  })

  it('replaces a confirmed address once its own link is opened; the old address is notified', async () => {
    const actor = await asApplicant(t)
    const wrong = await actor.post('/account/email', { email: 'pindah@example.com', password: 'not mine' })
    expect(wrong.json().errors).toEqual({ password: [expect.any(String)] })
    const request = await actor.post('/account/email', { email: 'pindah@example.com', password: testPassword })
    expect(request.json().data).toMatchObject({ email: actor.email, pendingEmail: 'pindah@example.com' })
    expect((await accountOf(actor.accountId)).email).toBe(actor.email)
    const reset = await resetLink(actor.email)
    const token = await tokenIn('pindah@example.com', 'change-email')
    expect((await post('/auth/verify-email', { token })).json().data).toMatchObject({
      email: 'pindah@example.com',
      changed: true,
    })
    expect((await accountOf(actor.accountId)).email).toBe('pindah@example.com')
    expect((await post('/auth/verify-email', { token })).json().data).toMatchObject({ already: true, changed: false })
    expect(await mailed(actor.email, 'account-email-changed')).toHaveLength(1)
    // An unused link in the old mailbox would open the account.
    expect((await post('/reset_password', { token: reset, ...newPassword })).statusCode).toBe(410)
  })

  it('of another account is refused, also if that account took it after the link was mailed', async () => {
    const actor = await asApplicant(t)
    const other = await asApplicant(t)
    const refusal = await actor.post('/account/email', { email: other.email.toUpperCase(), password: testPassword })
    expect(refusal.json().errors).toEqual({ email: [expect.any(String)] })
    await actor.post('/account/email', { email: 'lomba@example.com', password: testPassword })
    const token = await tokenIn('lomba@example.com', 'change-email')
    await asApplicant(t, { email: 'lomba@example.com' })
    expect((await post('/auth/verify-email', { token })).statusCode).toBe(409)
    expect((await accountOf(actor.accountId)).email).toBe(actor.email)
  })

  it('cannot be used to flood mailboxes', async () => {
    const actor = await asApplicant(t, { emailVerified: false })
    const statuses = []
    for (let count = 0; count < 8; count++)
      statuses.push((await actor.post('/account/email', { email: `korban${count}@example.com` })).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  })
})

describe('a new password by mail', () => {
  it('gets the same answer for known and unknown addresses', async () => {
    const { email } = await asApplicant(t)
    const answerToKnown = await post('/forgot_password', { email })
    const answerToUnknown = await post('/forgot_password', { email: 'nobody@example.com' })
    expect([answerToKnown.statusCode, answerToKnown.json()]).toEqual([
      answerToUnknown.statusCode,
      answerToUnknown.json(),
    ])
    expect(await mailed('nobody@example.com', 'reset-password')).toHaveLength(0)
  })

  it('is mailed at most six times an hour, with the usual answer', async () => {
    const [{ email }, other] = [await asApplicant(t), await asApplicant(t)]
    const answers = new Set<string>()
    for (let time = 1; time <= 9; time++) {
      advanceSeconds(61)
      answers.add((await post('/forgot_password', { email })).body)
      if (time <= 6) await expect.poll(async () => (await mailed(email, 'reset-password')).length).toBe(time)
    }
    expect(answers.size).toBe(1)
    await resetLink(other.email)
    expect(await mailed(email, 'reset-password')).toHaveLength(6)
  })

  it('ends every session, works once, confirms the address and allows signing in', async () => {
    const actor = await asApplicant(t, { emailVerified: false })
    const token = await resetLink(actor.email)
    expect((await post('/reset_password', { token, ...newPassword })).statusCode).toBe(200)
    await expect.poll(async () => (await actor.get('/account')).statusCode).toBe(401)
    expect((await post('/reset_password', { token, ...newPassword })).json().code).toBe('link_used')
    expect((await post('/login', { email: actor.email, password: testPassword })).statusCode).toBe(401)
    const back = await post('/login', { email: actor.email, password: newPassword.password })
    expect(back.json().user.email_verified_at).toEqual(expect.any(String))
    expect(await mailed(actor.email, 'password-changed')).toHaveLength(1)
  })

  it('keeps its link usable when only the password is refused', async () => {
    const actor = await asApplicant(t)
    const token = await resetLink(actor.email)
    const same = { password: actor.email, password_confirmation: actor.email }
    expect((await post('/reset_password', { token, ...same })).json().errors).toEqual({
      password: [expect.any(String)],
    })
    expect((await post('/reset_password', { token, password: 'short', password_confirmation: 'x' })).statusCode).toBe(
      422,
    )
    expect((await post('/reset_password', { token, ...newPassword })).statusCode).toBe(200)
  })

  it('used twice at the same moment changes the password once', async () => {
    const actor = await asApplicant(t)
    const token = await resetLink(actor.email)
    const answers = await Promise.all([1, 2, 3].map(() => post('/reset_password', { token, ...newPassword })))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 410, 410])
  })

  it('expires after an hour, and is not sent twice within a minute', async () => {
    const actor = await asApplicant(t)
    t.clock.set(new Date())
    const token = await resetLink(actor.email)
    await post('/forgot_password', { email: actor.email })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await mailed(actor.email, 'reset-password')).toHaveLength(1)
    advanceSeconds(3601)
    expect((await post('/reset_password', { token, ...newPassword })).json().code).toBe('link_expired')
  })

  it('ends the wait after failed sign-ins', async () => {
    const actor = await asApplicant(t)
    for (let failures = 0; failures < 5; failures++) await post('/login', { email: actor.email, password: 'wrong one' })
    const token = await resetLink(actor.email)
    await post('/reset_password', { token, ...newPassword })
    expect((await post('/login', { email: actor.email, password: newPassword.password })).statusCode).toBe(200)
  })
})

describe('changing the password', () => {
  it('needs the current password, ends other sessions and keeps this one', async () => {
    const actor = await asApplicant(t)
    const other = (await post('/login', { email: actor.email, password: testPassword })).json().access_token
    const body = { password: 'Teh-Manis-33', passwordConfirmation: 'Teh-Manis-33' }
    expect((await actor.post('/account/password', body)).json().errors).toHaveProperty('currentPassword')
    const wrong = await actor.post('/account/password', { ...body, currentPassword: 'wrong one' })
    expect([wrong.statusCode, Object.keys(wrong.json().errors)]).toEqual([422, ['currentPassword']])
    const done = await actor.post('/account/password', { ...body, currentPassword: testPassword })
    expect(done.json().data).toEqual({ endedSessions: 1 })
    await expect.poll(async () => (await post('/verify_token', { api_token: other })).statusCode).toBe(401)
    expect((await actor.get('/account')).statusCode).toBe(200)
  })

  it('counts wrong passwords like a sign-in', async () => {
    const actor = await asApplicant(t)
    const guess = () =>
      actor.post('/account/password', {
        currentPassword: 'guess',
        password: 'Teh-Manis-33',
        passwordConfirmation: 'Teh-Manis-33',
      })
    for (let count = 0; count < 5; count++) expect((await guess()).statusCode).toBe(422)
    expect((await guess()).json().code).toBe('sign_in_blocked')
  })

  it('needs no current password for a Google-only account', async () => {
    const actor = await asApplicant(t)
    await t.db.updateTable('accounts').set({ passwordHash: null }).where('id', '=', actor.accountId).execute()
    const done = await actor.post('/account/password', {
      password: 'Teh-Manis-33',
      passwordConfirmation: 'Teh-Manis-33',
    })
    expect(done.statusCode).toBe(200)
  })
})

describe('preferences, study intent and export', () => {
  it('saves language and theme', async () => {
    const actor = await asApplicant(t)
    expect((await actor.put('/account/preferences', { language: 'id' })).json().data).toMatchObject({
      language: 'id',
      theme: 'system',
    })
    expect((await actor.put('/account/preferences', { theme: 'dark' })).json().data).toMatchObject({
      language: 'id',
      theme: 'dark',
    })
    expect((await actor.put('/account/preferences', { theme: 'pink' })).statusCode).toBe(422)
  })

  it('saves a study intent, including an empty one, and refuses options that are not offered', async () => {
    const actor = await asApplicant(t)
    expect((await actor.get('/account/study-intent')).json()).toEqual({ data: null })
    const empty = { waveId: null, trackId: null, classProgrammeId: null, programmeIds: [] }
    expect((await actor.put('/account/study-intent', empty)).json()).toEqual({ data: empty })
    const answerToUnknown = crypto.randomUUID()
    const refused = await actor.put('/account/study-intent', {
      ...empty,
      waveId: answerToUnknown,
      programmeIds: [answerToUnknown],
    })
    expect(Object.keys(refused.json().errors)).toEqual(['waveId', 'programmeIds'])
    expect((await actor.get('/account/study-intent')).json()).toEqual({ data: empty })
  })

  it('exports the stored data of the account, without secrets, and records it', async () => {
    const actor = await asApplicant(t, { name: 'Rina Ekspor' })
    await resetLink(actor.email)
    const answer = await actor.get('/account/export')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="pmb-data-/)
    const data = answer.json()
    expect(data.account).toEqual([
      expect.objectContaining({ name: 'Rina Ekspor', email: actor.email, has_password: true }),
    ])
    expect(Object.keys(data)).toEqual(
      expect.arrayContaining([
        'profile',
        'registrations',
        'bills',
        'payments',
        'documents',
        'messages',
        'history',
        'sessions',
      ]),
    )
    expect(data.messages).toEqual([expect.objectContaining({ event: 'reset-password', body: null })])
    expect(answer.body).not.toMatch(/argon2|token_hash|password_hash"/)
    expect((await actor.get('/account/export')).json().history).toContainEqual(
      expect.objectContaining({ action: 'account.export' }),
    )
  })

  it('works for staff', async () => {
    const staff = await asStaff(t)
    expect((await staff.get('/account/export')).statusCode).toBe(200)
    expect((await staff.get('/account')).json().data).toMatchObject({ role: 'Administrator' })
  })
})
