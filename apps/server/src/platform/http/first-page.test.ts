import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { primaryShades } from '#domain/navigation/constants.ts'
import { inkOn, paletteOf } from '#domain/settings/palette.ts'
import { sentences } from '#server/platform/text.ts'
import { asApplicant, testPassword } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { withTotp } from '#server-test/factories/accounts.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { withForm } from './first-page.ts'
import { builtWeb, webBuild } from './web-build.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.reset())

const own = { origin: 'http://pmb.test:8080', host: 'pmb.test:8080' }
const send = (
  fields: Record<string, string>,
  headers: Record<string, string> = own,
  query = '',
  remoteAddress = '127.0.0.1',
  path = '/sign-in',
) =>
  t.app.inject({
    method: 'POST',
    url: `${path}${query}`,
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'id', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
const alertOf = (html: string) =>
  /role="alert".*?<div[^>]*-message"[^>]*>([^<]*)/s
    .exec(html)?.[1]
    ?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
const tokenOf = (html: string) => /<meta name="signed-in" content="([^"]+)"/.exec(html)?.[1]
const say = sentences('id')

describe.skipIf(!webBuild().page)('the sign-in page of the first HTML', () => {
  test('is in the language of the address, else of the browser', async () => {
    const get = async (url: string, language: string) =>
      (await t.app.inject({ url, headers: { 'accept-language': language } })).body
    expect(await get('/sign-in', 'id-ID,en;q=0.5')).toContain(`>${say('accounts:signIn.title')}</h1>`)
    expect(await get('/sign-in?lang=en', 'id')).toContain('<html lang="en"')
    expect(await get('/sign-in', 'id')).toMatch(/<form[^>]* method="post"/)
    // Nothing but the form waits for scripts.
    expect(await get('/sign-in', 'id')).not.toMatch(/<script type="module"|modulepreload/)
    expect(await get('/multi-step-sign-up', 'id')).toMatch(/<script type="module"/)
  })

  test('has no class without a rule that the build does not have for the app either', () => {
    const sheets = fs
      .readdirSync(path.join(builtWeb, 'assets'))
      .filter((name) => name.endsWith('.css'))
      .map((name) => fs.readFileSync(path.join(builtWeb, 'assets', name), 'utf8'))
      .join('')
    const { html } = webBuild().firstPages['sign-in id refused logo google']!
    const classes = new Set([...html.matchAll(/class="([^"]+)"/g)].flatMap(([, names]) => names!.split(' ')))
    // Modules of this repository; Mantine's names are the same in every build.
    const ours = [...classes].filter((name) => /^_\w+_\w+_\d+$/.test(name))
    expect(ours.length).toBeGreaterThan(4)
    expect(ours.filter((name) => !sheets.includes(`.${name}`))).toEqual([])
  })

  test('has the colours of the university, with an ink that is readable on them', () => {
    const { shades } = paletteOf('#F1C40F')
    const branding = { name: 'Contoh', shortName: '', logo: '/logo"', shades: [...shades], timeZone: 'Asia/Jakarta' }
    const page = webBuild().page!
    const html = withForm(page, webBuild().firstPages, {
      name: 'sign-in',
      privacy: { consentVersion: '1', universityName: 'Contoh', privacyNotice: { en: '', id: '' } },
      branding: { ...branding, monthNames: 'indonesian', demo: false, registrationOpen: true },
      language: 'id',
      hasGoogle: true,
    })
    expect(primaryShades.filter((shade) => html.includes(shade))).toEqual([])
    expect(html).toContain(`--pmb-ink:${inkOn(shades[5]!)}`)
    expect(html).toContain('src="/logo&#34;"')
    expect(html).toContain('/api/auth/google/start?language=id')
  })

  test('signs in and hands the token to the page, which is stored nowhere', async () => {
    const applicant = await asApplicant(t)
    const answer = await send({ email: ` ${applicant.email} `, password: testPassword })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    const token = tokenOf(answer.body)!
    const account = await t.app.inject({ url: '/api/auth/account', headers: { authorization: `Bearer ${token}` } })
    expect(account.statusCode).not.toBe(401)
    const session = await t.db
      .selectFrom('sessions')
      .select(['ip', 'userAgent'])
      .where('accountId', '=', applicant.accountId)
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
    expect(session.ip).toBe('127.0.0.1')
    expect(alertOf(answer.body)).toBeUndefined()
  })

  test('says what is wrong and keeps the address, but never the password', async () => {
    const wrong = await send({ email: `"><b>${Math.random()}@contoh.test`, password: 'Salah-123456' })
    expect(wrong.statusCode).toBe(401)
    expect(alertOf(wrong.body)).toBe(say('errors:wrong_credentials'))
    expect(wrong.body).toContain('value="&#34;&#62;&#60;b&#62;')
    expect(wrong.body).not.toContain('Salah-123456')
    const empty = await send({ email: '', password: '' }, own, '?lang=en')
    expect(empty.statusCode).toBe(422)
    expect(alertOf(empty.body)).toMatch(/^E-mail address: .*Password: /)
  })

  test('counts wrong passwords together with the call of the app', async () => {
    const email = `ditebak-${Math.random()}@contoh.test`
    const byCall = () =>
      t.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: 'Salah-123456' } })
    let status = 401
    for (let attempt = 0; attempt < 12 && status === 401; attempt++) status = (await byCall()).statusCode
    expect(status).toBe(429)
    const refused = await send({ email, password: 'Salah-123456' })
    expect(refused.statusCode).toBe(429)
    expect(alertOf(refused.body)).toContain(say('errors:sign_in_blocked', { wait: '' }).slice(0, 15))
  })

  test('says as the call of the app does how long to wait after too many calls', async () => {
    const remoteAddress = '192.0.2.9'
    const byCall = () => t.app.inject({ method: 'POST', url: '/api/login', payload: {}, remoteAddress })
    let call = await byCall()
    for (let count = 0; count < 200 && call.statusCode !== 429; count++) call = await byCall()
    const refused = await send({ email: '', password: '' }, own, '', remoteAddress)
    expect([call.statusCode, refused.statusCode]).toEqual([429, 429])
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  })

  test('asks for the code of the second factor and takes it with the password', async () => {
    const applicant = await asApplicant(t)
    const { code } = await withTotp(t, applicant)
    const first = await send({ email: applicant.email, password: testPassword })
    expect(first.statusCode).toBe(401)
    expect(alertOf(first.body)).toBe(say('errors:totp_required'))
    expect(first.body).toMatch(/<input[^>]* name="code"/)
    const answer = await send({ email: applicant.email, password: testPassword, code: code() })
    expect(tokenOf(answer.body)).toBeTruthy()
  })

  test('refuses a form of another site, even with the right password', async () => {
    const applicant = await asApplicant(t)
    const fields = { email: applicant.email, password: testPassword }
    const foreign: Record<string, string>[] = [
      { ...own, origin: 'https://lain.test' },
      { ...own, origin: 'null' },
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { host: own.host },
    ]
    for (const headers of foreign) {
      const answer = await send(fields, headers)
      expect([answer.statusCode, tokenOf(answer.body)], JSON.stringify(headers)).toEqual([403, undefined])
      expect(alertOf(answer.body)).toBe(say('accounts:signIn.otherSite'))
    }
    expect(tokenOf((await send(fields, { host: own.host, 'sec-fetch-site': 'same-origin' })).body)).toBeTruthy()
  })
})

describe.skipIf(!webBuild().page)('the sign-up page of the first HTML', () => {
  const get = async (url: string) => (await t.app.inject({ url, headers: { 'accept-language': 'id' } })).body
  const signUp = (fields: Record<string, string>, headers = own, query = '') =>
    send(fields, headers, query, '127.0.0.1', '/sign-up')
  const filled = () => ({
    name: 'Siti Rahayu',
    email: `siti-${Math.random().toString(36).slice(2)}@contoh.test`,
    phone: '0812-3456-7890',
    password: 'Bunga-Melati-77',
    password_confirmation: 'Bunga-Melati-77',
    consent: 'on',
  })
  const accountOf = (email: string) =>
    t.db
      .selectFrom('accounts')
      .leftJoin('studyIntents', 'studyIntents.accountId', 'accounts.id')
      .select(['accounts.id', 'accounts.consentVersion', 'studyIntents.waveId'])
      .where('email', '=', email)
      .executeTakeFirst()

  test('holds the form without scripts, with the privacy notice of the university', async () => {
    const page = await get('/sign-up')
    expect(page).toContain(`>${say('accounts:signUp.title')}</h1>`)
    expect(page).toMatch(/<form[^>]* method="post"/)
    expect(page).toContain(say('accounts:privacy.what'))
    expect(page).not.toMatch(/<script type="module"|\{\{/)
    for (const field of ['name', 'email', 'phone', 'password', 'password_confirmation', 'consent'])
      expect(page).toMatch(new RegExp(`<input[^>]* name="${field}"`))
  })

  test('is that of the app behind links whose codes only the app keeps', async () => {
    for (const query of ['ref=AF-1', 'voucher=V1', 'lead=abc', 'next=/pendaftaran'])
      expect(await get(`/sign-up?${query}`), query).toMatch(/<script type="module"/)
    expect(await get('/sign-up?wave=1&track=2')).toMatch(/<form[^>]* method="post"/)
  })

  test('opens an account, hands the token to the page and keeps the choice of the link', async () => {
    const { wave, tracks } = await academicFixture(t.db)
    const fields = filled()
    const query = `?wave=${wave}&track=${tracks.regular}`
    const answer = await signUp(fields, own, query)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(tokenOf(answer.body)).toBeTruthy()
    const account = await accountOf(fields.email)
    expect(account?.consentVersion).toBeTruthy()
    expect(account?.waveId).toBe(wave)
  })

  test('says every problem in words of the reader, keeps what was typed and no password', async () => {
    const refused = await signUp({ ...filled(), name: '"><b>', email: 'siti@', phone: '1', password: 'Rahasia-77' })
    expect(refused.statusCode).toBe(422)
    const said = alertOf(refused.body)
    for (const field of ['email', 'phone', 'repeatPassword'])
      expect(said).toContain(`${say(`accounts:fields.${field}`)}: `)
    expect(refused.body).toContain('value="siti@"')
    expect(refused.body).toContain('value="&#34;&#62;&#60;b&#62;"')
    expect(refused.body).not.toContain('Rahasia-77')
  })

  test.each(['', 'off', 'false', '0'])('“%s” is no consent', async (consent) => {
    const answer = await signUp({ ...filled(), consent })
    expect(answer.statusCode).toBe(422)
    expect(tokenOf(answer.body)).toBeUndefined()
  })

  test('opens no account without consent, and says what else is wrong', async () => {
    const { consent: _, ...fields } = filled()
    const refused = await signUp({ ...fields, phone: '' })
    expect(refused.statusCode).toBe(422)
    expect(alertOf(refused.body)).toBe(
      `${say('accounts:fields.phone')}: ${say('accounts:problem.field_required')} ${say('accounts:problem.consent_required')}`,
    )
    expect((await signUp(fields)).statusCode).toBe(422)
    expect(await accountOf(fields.email)).toBeUndefined()
  })

  test('opens no account for a form of another site', async () => {
    const fields = filled()
    const answer = await signUp(fields, { ...own, origin: 'https://lain.test' })
    expect([answer.statusCode, tokenOf(answer.body)]).toEqual([403, undefined])
    expect(await accountOf(fields.email)).toBeUndefined()
  })
})
