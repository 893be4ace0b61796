import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashToken } from '#server/platform/access/tokens.ts'
import { asApplicant, asStaff, testPassword } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { finishSignIn } from './sign-in.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.reset())

let visitor = 0
/** Every call comes from a new address, so that tests do not share rate limits. */
const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  t.app.inject({
    method: 'POST',
    url: `/api${url}`,
    payload: body,
    headers,
    remoteAddress: `10.0.0.${++visitor % 250}`,
  })

const signUp = (changes: object = {}) => ({
  name: 'Siti Nurhaliza',
  email: `siti${crypto.randomUUID().slice(0, 8)}@example.com`,
  phone: '0812-3456-7890',
  password: 'Kopi-Susu-22',
  password_confirmation: 'Kopi-Susu-22',
  ...changes,
})
const accountOf = (email: string) =>
  t.db.selectFrom('accounts').selectAll().where('emailLower', '=', email.toLowerCase()).executeTakeFirstOrThrow()
/** A password that matched the present hash of the account. */
const proofOf = async (accountId: string) => {
  const { passwordHash } = await t.db
    .selectFrom('accounts')
    .select('passwordHash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { by: 'password', passwordHash } as const
}
const auditOf = async (accountId: string) =>
  (await t.db.selectFrom('auditLog').select('action').where('subjectId', '=', accountId).orderBy('id').execute()).map(
    (row) => row.action,
  )
const mails = (email: string) =>
  t.db
    .selectFrom('messages')
    .selectAll()
    .where('toAddress', '=', email)
    .where('channel', '=', 'email')
    .orderBy('createdAt')
    .execute()

describe('sign-up', () => {
  it('opens an account of role Mahasiswa, signs in, and stores consent, language and referral', async () => {
    const body = signUp({ email: 'Siti.Baru@Example.com', ref: 'BUDI26' })
    const answer = await post('/register', body, { 'accept-language': 'id-ID,id;q=0.9' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_at: expect.any(String),
      user: {
        id: expect.any(String),
        name: 'Siti Nurhaliza',
        email: 'Siti.Baru@Example.com',
        email_verified_at: null,
        role: { id: expect.any(String), name: 'Mahasiswa' },
      },
    })
    const account = await accountOf(body.email)
    expect(account).toMatchObject({
      phone: '+6281234567890',
      language: 'id',
      referralCode: 'BUDI26',
      consentVersion: '2026-1',
    })
    expect(account.consentAt).toBeInstanceOf(Date)
    expect(account.passwordHash).toMatch(/^\$argon2id\$/)
    expect(await auditOf(account.id)).toEqual(['account.register'])
    const [mail] = await mails(body.email)
    expect(mail).toMatchObject({
      event: 'verify-email',
      language: 'id',
      link: expect.stringMatching(/\/confirm-email\/[\w-]{43}\?lang=id$/),
    })
  })

  it("names every wrong field, in the reader's language", async () => {
    const answer = await post(
      '/register',
      { name: ' ', email: 'siti@', phone: '123', password: 'kurang', password_confirmation: 'lain' },
      { 'accept-language': 'id' },
    )
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toEqual({
      message: expect.any(String),
      code: 'invalid_input',
      errors: {
        name: ['Bagian ini wajib diisi.'],
        email: [expect.stringContaining('email')],
        phone: [expect.stringContaining('HP')],
        password: ['Gunakan minimal 8 karakter.'],
        password_confirmation: ['Kedua kata sandi tidak sama.'],
      },
    })
  })

  it('refuses unknown fields, such as a role', async () => {
    expect((await post('/register', signUp({ role: 'Administrator' }))).statusCode).toBe(422)
  })

  it('refuses an address with an account regardless of case, and informs its owner once an hour', async () => {
    const { email } = await asApplicant(t, { email: 'sudah.ada@example.com' })
    t.clock.set(new Date(Date.now() + 3_600_000))
    for (const typed of [email, email.toUpperCase()]) {
      const answer = await post('/register', signUp({ email: typed }))
      expect(answer.statusCode).toBe(422)
      expect(answer.json().errors).toEqual({ email: [expect.any(String)] })
    }
    expect((await mails(email)).map((mail) => mail.event)).toEqual(['account-exists'])
  })

  it('repeated after a lost answer signs in to the same account', async () => {
    const body = signUp()
    const first = await post('/register', body)
    const again = await post('/register', body)
    expect(again.statusCode).toBe(200)
    expect(again.json().user.id).toBe(first.json().user.id)
    expect((await mails(body.email)).map((mail) => mail.event)).toEqual(['verify-email'])
  })

  it('sent five times at the same moment creates one account', async () => {
    const body = signUp()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('/register', body)))
    const ids = new Set(answers.filter((answer) => answer.statusCode === 200).map((answer) => answer.json().user.id))
    expect(ids.size).toBe(1)
    const { count } = await t.db
      .selectFrom('accounts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('emailLower', '=', body.email.toLowerCase())
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })
})

describe('sign-in', () => {
  it('answers with a token that opens the API', async () => {
    const { email } = await asApplicant(t)
    const answer = await post('/login', { email: ` ${email.toUpperCase()} `, password: testPassword })
    expect(answer.statusCode).toBe(200)
    const { access_token: token, user } = answer.json()
    expect(user).toMatchObject({ email, email_verified_at: expect.any(String), role: { name: 'Mahasiswa' } })
    const account = await t.app.inject({ url: '/api/account', headers: { authorization: `Bearer ${token}` } })
    expect(account.json().data).toMatchObject({ email, hasPassword: true, googleLinked: false })
    const visits = t.db.selectFrom('accountVisits').select('lastSignedInAt').where('accountId', '=', user.id)
    expect((await visits.executeTakeFirstOrThrow()).lastSignedInAt).toBeInstanceOf(Date)
  })

  it('a wrong password, an unknown address and an account without a password get the same answer', async () => {
    const { email } = await asApplicant(t)
    const without = await asApplicant(t)
    await t.db.updateTable('accounts').set({ passwordHash: null }).where('id', '=', without.accountId).execute()
    const answers = await Promise.all(
      [email, 'nobody@example.com', without.email].map((address) =>
        post('/login', { email: address, password: 'not this one' }),
      ),
    )
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual(answers[0]!.json())
    }
    expect(answers[0]!.json()).toEqual({
      message: expect.any(String),
      code: 'wrong_credentials',
      errors: { email: [expect.any(String)] },
    })
  })

  it('starts no session for an account that is deactivated while it signs in', async () => {
    const { accountId, email } = await asApplicant(t)
    const failures = () =>
      sql<{
        failures: number
      }>`SELECT failures FROM sign_in_attempts WHERE email_hash = ${hashToken(`sign-in ${email}`)}`
        .execute(t.db)
        .then(({ rows }) => rows)
    await post('/login', { email, password: 'not this one' })
    const device = { ip: '10.0.0.1', userAgent: undefined, requestId: 'deactivated' }
    const signsIn = finishSignIn(
      t.services,
      { id: accountId },
      { code: undefined, failures: 1, proof: await proofOf(accountId), device },
      async (tx) => {
        await tx.updateTable('accounts').set({ active: false }).where('id', '=', accountId).execute()
      },
    )
    await expect(signsIn).rejects.toMatchObject({ status: 403, code: 'account_inactive' })
    expect(await auditOf(accountId)).not.toContain('account.sign_in')
    expect(await failures()).toEqual([{ failures: 1 }])
    expect((await post('/login', { email, password: testPassword })).statusCode).toBe(200)
    expect(await failures()).toEqual([])
    expect(await auditOf(accountId)).toContain('account.sign_in')
  })

  it('starts no session without a code if the second factor is set up meanwhile', async () => {
    const { accountId, email } = await asApplicant(t)
    const device = { ip: '10.0.0.1', userAgent: undefined, requestId: 'second factor' }
    const signsIn = finishSignIn(
      t.services,
      { id: accountId },
      { code: undefined, failures: 1, proof: await proofOf(accountId), device },
      async (tx) => {
        await sql`UPDATE accounts SET totp_secret = 'new' WHERE id = ${accountId}`.execute(tx)
      },
    )
    await expect(signsIn).rejects.toMatchObject({ status: 403 })
    expect(await auditOf(accountId)).not.toContain('account.sign_in')
    expect((await post('/login', { email, password: testPassword })).statusCode).toBe(200)
  })

  it('starts no session by a password that is changed while it is checked', async () => {
    const { accountId, email } = await asApplicant(t)
    const device = { ip: '10.0.0.1', userAgent: undefined, requestId: 'old password' }
    const proof = await proofOf(accountId)
    const changed = { passwordHash: 'that of another password' }
    const options = { code: undefined, failures: 1, proof, device }
    const change = (db: typeof t.db) => db.updateTable('accounts').set(changed).where('id', '=', accountId).execute()
    const signsIn = finishSignIn(t.services, { id: accountId }, options, async (tx) => void (await change(tx)))
    await expect(signsIn).rejects.toMatchObject({ status: 401, code: 'wrong_credentials' })
    // The transaction is undone: the password is the old one again.
    expect((await post('/login', { email, password: testPassword })).statusCode).toBe(200)
    const sessionCount = () => t.db.selectFrom('sessions').select('id').where('accountId', '=', accountId).execute()
    const before = await sessionCount()
    await change(t.db)
    await expect(finishSignIn(t.services, { id: accountId }, options)).rejects.toMatchObject({ status: 401 })
    expect(await sessionCount()).toEqual(before)
  })

  it('waits longer after each failure, for known and unknown addresses alike', async () => {
    const { email } = await asApplicant(t)
    for (const address of [email, 'ghost@example.com']) {
      t.clock.set('2026-11-20T03:00:00Z')
      const attempt = () => post('/login', { email: address, password: 'wrong one' })
      for (let failures = 0; failures < 5; failures++) expect((await attempt()).statusCode).toBe(401)
      const blocked = await attempt()
      expect(blocked.statusCode).toBe(429)
      expect(blocked.headers['retry-after']).toBe('30')
      expect(blocked.json()).toMatchObject({
        code: 'sign_in_blocked',
        errors: { email: [expect.stringContaining('30 seconds')] },
      })
      t.clock.set('2026-11-20T03:00:31Z')
      expect((await attempt()).statusCode).toBe(401)
      expect((await attempt()).json().message).toContain('60 seconds')
    }
  })

  it('blocks the right password too during the wait; a success resets it', async () => {
    const { email } = await asApplicant(t)
    t.clock.set('2026-11-20T03:00:00Z')
    for (let failures = 0; failures < 5; failures++) await post('/login', { email, password: 'wrong one' })
    expect((await post('/login', { email, password: testPassword })).statusCode).toBe(429)
    t.clock.set('2026-11-20T03:01:00Z')
    expect((await post('/login', { email, password: testPassword })).statusCode).toBe(200)
    for (let failures = 0; failures < 4; failures++)
      expect((await post('/login', { email, password: 'wrong one' })).statusCode).toBe(401)
    expect((await post('/login', { email, password: testPassword })).statusCode).toBe(200)
  })

  it('counts forty parallel guesses like forty in sequence', async () => {
    const { email, accountId } = await asApplicant(t)
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => post('/login', { email, password: 'wrong one' })),
    )
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(5)
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(35)
    expect(await auditOf(accountId)).toContain('account.sign_in_blocked')
  })

  it('says that an account is deactivated only after the right password', async () => {
    const { email, accountId } = await asStaff(t, 'Keuangan')
    await t.db.updateTable('accounts').set({ active: false }).where('id', '=', accountId).execute()
    expect((await post('/login', { email, password: testPassword })).json()).toMatchObject({ code: 'account_inactive' })
    expect((await post('/login', { email, password: 'wrong one' })).json()).toMatchObject({ code: 'wrong_credentials' })
  })

  it('limits the requests of an address', async () => {
    const ask = () =>
      t.app.inject({
        method: 'POST',
        url: '/api/login',
        payload: { email: '', password: '' },
        remoteAddress: '10.9.9.9',
      })
    const statuses = new Set<number>()
    for (let count = 0; count < 130; count++) statuses.add((await ask()).statusCode)
    expect(statuses.has(429)).toBe(true)
  })
})

describe('token', () => {
  it('is checked, and gets the same data as a sign-in', async () => {
    const actor = await asApplicant(t)
    const answer = await actor.post('/verify_token', { api_token: actor.token })
    expect(answer.json()).toMatchObject({
      access_token: actor.token,
      token_type: 'Bearer',
      user: { id: actor.accountId },
    })
  })

  it('is refused when unknown, expired or signed out', async () => {
    const actor = await asApplicant(t)
    expect((await post('/verify_token', { api_token: 'nonsense' })).statusCode).toBe(401)
    expect((await post('/verify_token', { api_token: 'x'.repeat(900) })).statusCode).toBe(401)
    expect((await actor.post('/logout')).statusCode).toBe(200)
    await expect.poll(async () => (await post('/verify_token', { api_token: actor.token })).statusCode).toBe(401)
    const other = await asApplicant(t)
    t.clock.set(new Date(Date.now() + 31 * 86_400_000))
    expect((await post('/verify_token', { api_token: other.token })).statusCode).toBe(401)
  })
})

describe('sessions', () => {
  it('lists this session first; sessions end one by one or all others together', async () => {
    const actor = await asApplicant(t)
    const phone = (await post('/login', { email: actor.email, password: testPassword })).json().access_token
    const school = (await post('/login', { email: actor.email, password: testPassword })).json().access_token
    const { data } = (await actor.get('/account/sessions')).json()
    expect(data).toHaveLength(3)
    expect(data[0].current).toBe(true)
    expect((await actor.delete(`/account/sessions/${data[1].id}`)).json().data).toEqual({ ended: 1 })
    expect((await actor.delete(`/account/sessions/${data[1].id}`)).statusCode).toBe(404)
    expect((await actor.delete('/account/sessions')).json().data).toEqual({ ended: 1 })
    for (const token of [phone, school])
      await expect.poll(async () => (await post('/verify_token', { api_token: token })).statusCode).toBe(401)
    expect((await actor.get('/account')).statusCode).toBe(200)
  })

  it('cannot end a session of another account', async () => {
    const [one, other] = [await asApplicant(t), await asApplicant(t)]
    const { data } = (await other.get('/account/sessions')).json()
    expect((await one.delete(`/account/sessions/${data[0].id}`)).statusCode).toBe(404)
    expect((await other.get('/account')).statusCode).toBe(200)
  })
})
