import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asApplicant, asStaff, testPassword } from '#server-test/actors.ts'
import { withTotp } from '#server-test/factories/accounts.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { openFlow, sealFlow } from './google.ts'

type Person = { email?: string; email_verified?: boolean; name?: string }

/** A real OpenID provider on loopback; every named user is signed in at once and consents. */
function startProvider() {
  const people = new Map<string, Person>()
  let subject = ''
  let provider: Provider
  const server = http.createServer((request, response) => void provider.callback()(request, response))
  return {
    people,
    signInAs(sub: string, person: Person) {
      people.set(sub, person)
      subject = sub
    },
    async start() {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: 'pmb',
            client_secret: 'a secret of the test',
            redirect_uris: ['http://localhost:3000/api/auth/google/callback'],
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        conformIdTokenClaims: false,
        pkce: { required: () => true },
        features: { devInteractions: { enabled: false } },
        cookies: { keys: ['a cookie key of the test'] },
        interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
        findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
      })
      provider.use(async (context, next) => {
        if (!context.path.startsWith('/interaction/')) return next()
        const { prompt, session, params, grantId } = await provider.interactionDetails(context.req, context.res)
        if (prompt.name === 'login') {
          return provider.interactionFinished(
            context.req,
            context.res,
            subject ? { login: { accountId: subject } } : { error: 'access_denied' },
          )
        }
        const grant = grantId
          ? (await provider.Grant.find(grantId))!
          : new provider.Grant({ accountId: session!.accountId, clientId: String(params.client_id) })
        grant.addOIDCScope('openid email profile')
        await provider.interactionFinished(
          context.req,
          context.res,
          { consent: { grantId: await grant.save() } },
          { mergeWithLastSubmission: true },
        )
      })
      return issuer
    },
    refuse() {
      subject = ''
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

const google = startProvider()
let t: TestApp
beforeAll(async () => {
  const issuer = await google.start()
  t = await testApp({ config: { google: { clientId: 'pmb', clientSecret: 'a secret of the test', issuer } } })
})
afterAll(async () => {
  await t.close()
  await google.stop()
})
beforeEach(() => t.clock.reset())

/**
 * A browser that stores the cookies of the provider and of the product separately and follows redirects until the
 * product's.
 */
function browser() {
  let ours = ''
  const theirs = new Map<string, string>()
  const keep = (cookie: string | undefined) => {
    if (cookie !== undefined) ours = cookie.split(';')[0]!
  }
  return {
    get cookie() {
      return ours
    },
    async start(query = '') {
      const answer = await t.app.inject({ url: `/api/auth/google/start${query}`, headers: { cookie: ours } })
      keep(answer.headers['set-cookie'] as string | undefined)
      return answer
    },
    async atProvider(location: string) {
      let url = location
      for (let hops = 0; hops < 10 && !url.startsWith('http://localhost:3000'); hops++) {
        const answer = await fetch(url, {
          redirect: 'manual',
          headers: { cookie: [...theirs].map(([name, value]) => `${name}=${value}`).join('; ') },
        })
        for (const cookie of answer.headers.getSetCookie()) {
          const [pair = ''] = cookie.split(';')
          const at = pair.indexOf('=')
          if (pair.slice(at + 1)) theirs.set(pair.slice(0, at), pair.slice(at + 1))
          else theirs.delete(pair.slice(0, at))
        }
        const next = answer.headers.get('location')
        if (!next) throw new Error(`The provider stopped at ${url}: ${answer.status} ${await answer.text()}`)
        url = new URL(next, url).href
      }
      return url.slice('http://localhost:3000'.length)
    },
    async callback(path: string) {
      const answer = await t.app.inject({ url: path, headers: { cookie: ours } })
      keep(answer.headers['set-cookie'] as string | undefined)
      const landing = new URL(answer.headers.location as string, 'http://localhost:3000')
      expect(landing.search, 'nothing of it may reach a server').toBe('')
      return { path: landing.pathname, ...Object.fromEntries(new URLSearchParams(landing.hash.slice(1))) } as {
        path: string
        code?: string
        error?: string
      }
    },
    exchange: (code: string, cookie = ours, totp?: string) =>
      t.app.inject({
        method: 'POST',
        url: '/api/auth/google/exchange',
        payload: { code, ...(totp !== undefined && { totp }) },
        headers: { cookie },
      }),
    async signIn(query = '') {
      const started = await this.start(query)
      return this.callback(await this.atProvider(started.headers.location as string))
    },
  }
}
type Browser = ReturnType<typeof browser>

const signInAs = async (sub: string, person: Person, visitor: Browser = browser()) => {
  google.signInAs(sub, person)
  return visitor.signIn()
}
const accountOf = (email: string) =>
  t.db.selectFrom('accounts').selectAll().where('emailLower', '=', email).executeTakeFirst()

describe('sign-in with Google', () => {
  it('is offered only if it is configured', async () => {
    expect((await t.app.inject({ url: '/api/auth/options' })).json().data.google).toBe(true)
    const plain = await testApp()
    expect((await plain.app.inject({ url: '/api/auth/options' })).json().data.google).toBe(false)
    const started = await plain.app.inject({ url: '/api/auth/google/start' })
    expect(started.headers.location).toBe('/sign-in-google#error=google_not_configured')
    await plain.close()
  })

  it('starts with PKCE, state and nonce, and stores their secrets in an encrypted cookie', async () => {
    const visitor = browser()
    const started = await visitor.start()
    const url = new URL(started.headers.location as string)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.any(String),
      state: expect.any(String),
      nonce: expect.any(String),
      redirect_uri: 'http://localhost:3000/api/auth/google/callback',
      scope: 'openid email profile',
    })
    expect(started.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Lax; Max-Age=600/)
    expect(visitor.cookie).not.toContain(url.searchParams.get('nonce')!)
  })

  it('opens no account while registration is closed, but signs in people with an account', async () => {
    await signInAs('g-known', { email: 'lama@gmail.test', email_verified: true, name: 'Rina' })
    const closed = { closedAt: new Date(), closedBy: (await asStaff(t)).accountId, closedReason: 'Libur.' }
    await t.db.updateTable('registrationOpening').set(closed).execute()
    const refused = await signInAs('g-late', { email: 'telat@gmail.test', email_verified: true, name: 'Tono' })
    expect(refused.error).toBe('registration_closed')
    expect(await accountOf('telat@gmail.test')).toBeUndefined()
    const known = await signInAs('g-known', { email: 'lama@gmail.test', email_verified: true, name: 'Rina' })
    expect(known.code).toBeDefined()
    await t.db.updateTable('registrationOpening').set({ closedAt: null, closedBy: null, closedReason: null }).execute()
  })

  it('opens a verified account and returns the token once, to the same browser only', async () => {
    const visitor = browser()
    google.signInAs('g-1', { email: 'baru@gmail.test', email_verified: true, name: 'Budi Santoso' })
    const landed = await visitor.signIn('?ref=SARI26&language=id')
    expect(landed).toEqual({ path: '/sign-in-google', code: expect.any(String) })
    expect((await browser().exchange(landed.code!, '')).json().code).toBe('link_invalid')
    const other = browser()
    await other.start()
    expect((await other.exchange(landed.code!)).json().code).toBe('link_invalid')
    const answer = await visitor.exchange(landed.code!)
    expect(answer.json()).toMatchObject({
      token_type: 'Bearer',
      user: {
        name: 'Budi Santoso',
        email: 'baru@gmail.test',
        email_verified_at: expect.any(String),
        role: { name: 'Mahasiswa' },
      },
    })
    expect(await accountOf('baru@gmail.test')).toMatchObject({
      language: 'id',
      referralCode: 'SARI26',
      passwordHash: null,
      consentVersion: '2026-1',
    })
    expect((await visitor.exchange(landed.code!)).statusCode).toBe(410)
  })

  it('opens the same account the second time, even after its address changed', async () => {
    await signInAs('g-2', { email: 'tetap@gmail.test', email_verified: true, name: 'Tetap' })
    await t.db
      .updateTable('accounts')
      .set({ email: 'pindah@example.com' })
      .where('emailLower', '=', 'tetap@gmail.test')
      .execute()
    const visitor = browser()
    const landed = await signInAs('g-2', { email: 'tetap@gmail.test', email_verified: false, name: 'Tetap' }, visitor)
    expect((await visitor.exchange(landed.code!)).json().user.email).toBe('pindah@example.com')
  })

  it('refuses an address Google has not verified, with or without an account', async () => {
    const { email, accountId } = await asApplicant(t)
    for (const address of [email, 'asing@gmail.test']) {
      for (const person of [{ email: address, email_verified: false }, { email: address }]) {
        const landed = await signInAs(`g-un-${address}`, person)
        expect(landed).toEqual({ path: '/sign-in-google', error: 'google_email_unverified' })
      }
    }
    expect(await accountOf('asing@gmail.test')).toBeUndefined()
    const linked = await t.db
      .selectFrom('accountIdentities')
      .select('subject')
      .where('accountId', '=', accountId)
      .execute()
    expect(linked).toEqual([])
  })

  it('links an account with the same verified address and leaves its password', async () => {
    const { email, accountId } = await asApplicant(t)
    const visitor = browser()
    const landed = await signInAs('g-link', { email: email.toUpperCase(), email_verified: true, name: 'X' }, visitor)
    const answer = (await visitor.exchange(landed.code!)).json()
    expect(answer.user.id).toBe(accountId)
    expect(
      (await t.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: testPassword } }))
        .statusCode,
    ).toBe(200)
    const mails = await t.db.selectFrom('messages').select('event').where('toAddress', '=', email).execute()
    expect(mails.map((mail) => mail.event)).toContain('account-google-linked')
  })

  it('takes over an account that was opened with an address its opener does not own', async () => {
    const intruder = await asApplicant(t, { email: 'korban@gmail.test', emailVerified: false })
    await signInAs('g-victim', { email: 'korban@gmail.test', email_verified: true, name: 'Korban' })
    await expect.poll(async () => (await intruder.get('/account')).statusCode).toBe(401)
    const login = await t.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: 'korban@gmail.test', password: testPassword },
    })
    expect(login.statusCode).toBe(401)
  })

  it('does not link a second Google account', async () => {
    await signInAs('g-one', { email: 'dua@gmail.test', email_verified: true, name: 'Satu' })
    expect(await signInAs('g-two', { email: 'dua@gmail.test', email_verified: true, name: 'Dua' })).toMatchObject({
      error: 'google_other_account',
    })
  })

  it('refuses a deactivated account', async () => {
    await signInAs('g-off', { email: 'nonaktif@gmail.test', email_verified: true, name: 'Off' })
    await t.db.updateTable('accounts').set({ active: false }).where('emailLower', '=', 'nonaktif@gmail.test').execute()
    expect(await signInAs('g-off', { email: 'nonaktif@gmail.test', email_verified: true })).toMatchObject({
      error: 'account_inactive',
    })
  })

  it('reports that the visitor cancelled at Google', async () => {
    google.refuse()
    expect(await browser().signIn()).toEqual({ path: '/sign-in-google', error: 'google_cancelled' })
  })

  it('refuses a foreign state, a missing cookie and an expired cookie', async () => {
    google.signInAs('g-state', { email: 'state@gmail.test', email_verified: true })
    const visitor = browser()
    const path = await visitor.atProvider((await visitor.start()).headers.location as string)
    expect(await browser().callback(path)).toMatchObject({ error: 'link_invalid' })
    const victim = browser()
    await victim.start()
    expect(await victim.callback(path)).toMatchObject({ error: 'google_failed' })
    t.clock.set(new Date(Date.now() + 11 * 60_000))
    expect(await visitor.callback(path)).toMatchObject({ error: 'link_invalid' })
    expect(await accountOf('state@gmail.test')).toBeUndefined()
  })

  it('accepts an exchange code for one minute', async () => {
    const visitor = browser()
    const landed = await signInAs(
      'g-late',
      { email: 'lambat@gmail.test', email_verified: true, name: 'Lambat' },
      visitor,
    )
    t.clock.set(new Date(Date.now() + 61_000))
    expect((await visitor.exchange(landed.code!)).statusCode).toBe(410)
  })

  it('refuses a cookie that was tampered with', () => {
    const now = new Date()
    const flow = {
      state: 's',
      nonce: 'n',
      verifier: 'v',
      browser: 'b',
      language: 'en' as const,
      expiresAt: now.getTime() + 1000,
    }
    const sealed = sealFlow('secret', flow)
    expect(openFlow('secret', sealed, now)).toEqual(flow)
    expect(openFlow('other secret', sealed, now)).toBeUndefined()
    expect(openFlow('secret', `${sealed.slice(0, -2)}AA`, now)).toBeUndefined()
    expect(openFlow('secret', sealed, new Date(now.getTime() + 2000))).toBeUndefined()
    expect(openFlow('secret', 'x', now)).toBeUndefined()
  })
})

describe('with two-factor sign-in', () => {
  const staffWithTotp = async () => {
    t.clock.set(new Date())
    const staff = await asStaff(t, 'Keuangan')
    const factor = await withTotp(t, staff)
    const visitor = browser()
    const landed = await signInAs(staff.email, { email: staff.email, email_verified: true, name: 'Staf' }, visitor)
    const enter = (totp?: string) => visitor.exchange(landed.code!, visitor.cookie, totp)
    return { staff, factor, enter, landed }
  }

  it('the exchange asks for the TOTP code, and then starts the session', async () => {
    const { staff, factor, enter } = await staffWithTotp()
    const exchange = await enter()
    expect([exchange.statusCode, exchange.json().code]).toEqual([401, 'totp_required'])
    t.clock.set(new Date(t.clock.now().getTime() + 4 * 60_000))
    const wrong = await enter('000000')
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'totp_wrong'])
    const answer = await enter(factor.code())
    expect(answer.json().user.id).toBe(staff.accountId)
    expect((await enter(factor.code())).json().code).toBe('link_invalid')
  })

  it('a code used for the password sign-in is refused here', async () => {
    const { staff, factor, enter } = await staffWithTotp()
    const code = factor.code()
    const login = { email: staff.email, password: testPassword, code }
    expect((await t.app.inject({ method: 'POST', url: '/api/login', payload: login })).statusCode).toBe(200)
    expect((await enter(code)).json().code).toBe('totp_wrong')
  })

  it('guessing codes is limited like guessing passwords', async () => {
    const { enter, factor } = await staffWithTotp()
    await enter()
    const answers = await Promise.all(Array.from({ length: 9 }, () => enter('000000')))
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5)
    expect((await enter(factor.code())).json().code).toBe('sign_in_blocked')
  })

  it('the exchange code is valid for five minutes', async () => {
    const { enter, factor } = await staffWithTotp()
    await enter()
    t.clock.set(new Date(t.clock.now().getTime() + 5 * 60_000 + 1000))
    expect((await enter(factor.code())).json().code).toBe('link_invalid')
  })
})
