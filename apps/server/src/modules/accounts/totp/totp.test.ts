import crypto from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asApplicant, asStaff, asWithPermissions, type TestActor, testPassword } from '#server-test/actors.ts'
import { codeAt, withTotp } from '#server-test/factories/accounts.ts'
import { readersOf } from '#server-test/readers.ts'
import { routesOf } from '#server-test/routes.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { openTotp, stepOfCode } from './totp.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(new Date()))

let visitor = 0
const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  t.app.inject({
    method: 'POST',
    url: `/api${url}`,
    payload: body,
    headers,
    remoteAddress: `10.1.0.${++visitor % 250}`,
  })
const signIn = (actor: TestActor, code?: string) =>
  post('/login', { email: actor.email, password: testPassword, ...(code !== undefined && { code }) })
const { accountOf } = readersOf(() => t)
const rowOf = ({ accountId }: TestActor) => accountOf(accountId)
const actionsOf = async ({ accountId }: TestActor) =>
  (await t.db.selectFrom('auditLog').select('action').where('subjectId', '=', accountId).orderBy('id').execute()).map(
    ({ action }) => action,
  )
const eventsTo = async ({ email }: TestActor) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('toAddress', '=', email)
      .where('channel', '=', 'email')
      .orderBy('createdAt')
      .execute()
  ).map(({ event }) => event)
const advanceSeconds = (seconds: number) => t.clock.set(new Date(t.clock.now().getTime() + seconds * 1000))
const afterWaiting = () => advanceSeconds(31 * 60)

describe('setting it up', () => {
  it('shows a key and its QR code, starts with the first right code, and shows recovery codes once', async () => {
    const staff = await asStaff(t, 'Keuangan')
    expect((await staff.get('/account/totp')).json().data).toEqual({
      on: false,
      since: null,
      required: false,
      recoveryCodesLeft: 0,
    })
    const { key, uri, qr } = (await staff.post('/account/totp')).json().data
    expect(key.replaceAll(' ', '')).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toMatch(/^otpauth:\/\/totp\/PMB%20Online.*secret=[A-Z2-7]{32}/)
    expect(qr.path).toMatch(/^M\d/)
    expect((await signIn(staff)).statusCode).toBe(200)
    const wrong = await staff.post('/account/totp/confirm', { code: '000000' })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json().errors).toEqual({ code: [expect.any(String)] })
    const right = await staff.post('/account/totp/confirm', {
      code: ` ${codeAt(key, t.clock.now()).slice(0, 3)} ${codeAt(key, t.clock.now()).slice(3)}`,
    })
    expect(right.statusCode).toBe(200)
    const { recoveryCodes } = right.json().data
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
    expect((await staff.get('/account/totp')).json().data).toMatchObject({ on: true, recoveryCodesLeft: 10 })
    expect(await actionsOf(staff)).toContain('account.totp_on')
    expect(await eventsTo(staff)).toContain('account-totp-on')
    expect((await staff.post('/account/totp')).json().code).toBe('totp_already_on')
  })

  it('stores neither key nor recovery codes readable; a key copied to another account is useless', async () => {
    const [staff, other] = [await asStaff(t, 'Keuangan'), await asStaff(t, 'Keuangan')]
    const { key, recoveryCodes } = await withTotp(t, staff)
    const secret = key.replaceAll(' ', '')
    const row = await rowOf(staff)
    const codes = await t.db
      .selectFrom('totpRecoveryCodes')
      .selectAll()
      .where('accountId', '=', staff.accountId)
      .execute()
    const stored = JSON.stringify([
      row,
      codes.map(({ codeHash }) => [codeHash.toString('hex'), codeHash.toString('utf8')]),
    ])
    for (const secretText of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
      expect(stored).not.toContain(secretText)
    expect(openTotp(t.services, staff.accountId, row.totpSecret!)).toBe(secret)
    expect(openTotp(t.services, other.accountId, row.totpSecret!)).toBeUndefined()
    const log = await t.db.selectFrom('auditLog').selectAll().where('subjectId', '=', staff.accountId).execute()
    expect(JSON.stringify(log)).not.toContain(secret)
  })

  it('a key not confirmed within half an hour, or replaced by a newer one, is refused', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const first = (await staff.post('/account/totp')).json().data.key
    const second = (await staff.post('/account/totp')).json().data.key
    expect((await staff.post('/account/totp/confirm', { code: codeAt(first, t.clock.now()) })).statusCode).toBe(422)
    afterWaiting()
    const answer = await staff.post('/account/totp/confirm', { code: codeAt(second, t.clock.now()) })
    expect(answer.json().code).toBe('totp_setup_expired')
  })

  it('is never stored under an idempotency key', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { key } = (await staff.post('/account/totp', {}, { 'idempotency-key': 'first-of-totp' })).json().data
    await staff.post(
      '/account/totp/confirm',
      { code: codeAt(key, t.clock.now()) },
      { 'idempotency-key': 'second-of-totp' },
    )
    const stored = await t.db
      .selectFrom('idempotencyKeys')
      .select('body')
      .where('accountId', '=', staff.accountId)
      .execute()
    expect(stored.filter(({ body }) => body !== null)).toEqual([])
  })
})

describe('signing in', () => {
  it('asks for the code after the right password, and starts no session before', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { code } = await withTotp(t, staff)
    const challenge = await signIn(staff)
    expect(challenge.statusCode).toBe(401)
    expect(challenge.json()).toEqual({
      message: expect.any(String),
      code: 'totp_required',
      errors: { code: [expect.any(String)] },
    })
    const sessions = t.db.selectFrom('sessions').select('id').where('accountId', '=', staff.accountId)
    expect(await sessions.execute()).toHaveLength(1)
    expect((await post('/login', { email: staff.email, password: 'wrong one', code: code() })).json().code).toBe(
      'wrong_credentials',
    )
    const answer = await signIn(staff, code())
    expect(answer.statusCode).toBe(200)
    expect(answer.json().access_token).toEqual(expect.any(String))
    expect(await sessions.execute()).toHaveLength(2)
    const entry = await t.db
      .selectFrom('auditLog')
      .select('after')
      .where('subjectId', '=', staff.accountId)
      .where('action', '=', 'account.sign_in')
      .executeTakeFirstOrThrow()
    expect(entry.after).toEqual({ by: 'password', secondFactor: 'app' })
  })

  it('an account without second factor signs in without a code; a superfluous code is ignored', async () => {
    const staff = await asStaff(t, 'Keuangan')
    expect((await signIn(staff, '123456')).statusCode).toBe(200)
  })

  it.each([
    ['of the step before', -30, 200],
    ['of the step after', 30, 200],
    ['of two steps before', -60, 401],
    ['of two steps after', 60, 401],
  ])('tolerates a clock that is one step off: a code %s', async (_what, seconds, status) => {
    const staff = await asStaff(t, 'Keuangan')
    const { code } = await withTotp(t, staff)
    advanceSeconds(300)
    const shifted = code(new Date(t.clock.now().getTime() + seconds * 1000))
    expect((await signIn(staff, shifted)).statusCode).toBe(status)
  })

  it('accepts a code once, and then no code of an earlier step', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { code } = await withTotp(t, staff)
    advanceSeconds(300)
    const earlier = code(new Date(t.clock.now().getTime() - 30_000))
    expect((await signIn(staff, code())).statusCode).toBe(200)
    expect((await signIn(staff, code())).json().code).toBe('totp_wrong')
    expect((await signIn(staff, earlier)).json().code).toBe('totp_wrong')
    advanceSeconds(30)
    expect((await signIn(staff, code())).statusCode).toBe(200)
  })

  it('of four requests with the same code at the same moment one signs in', async () => {
    // Another account each round: the three refused requests count as failures, and after five failures the next
    // attempt must wait.
    for (const kind of ['code', 'recovery'] as const) {
      const staff = await asStaff(t, 'Keuangan')
      const { code, recoveryCodes } = await withTotp(t, staff)
      const usedCode = kind === 'code' ? code() : recoveryCodes[0]!
      const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(staff, usedCode)))
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401, 401])
    }
  })

  it('a recovery code works once, however it is typed, and the owner is notified', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { recoveryCodes } = await withTotp(t, staff)
    const typed = ` ${recoveryCodes[3]!.toUpperCase().replace('-', ' ')} `
    expect((await signIn(staff, typed)).statusCode).toBe(200)
    expect((await signIn(staff, recoveryCodes[3])).json().code).toBe('totp_wrong')
    expect((await staff.get('/account/totp')).json().data.recoveryCodesLeft).toBe(9)
    expect(await eventsTo(staff)).toContain('account-recovery-code')
    const other = await asStaff(t, 'Keuangan')
    await withTotp(t, other)
    expect((await signIn(other, recoveryCodes[4])).json().code).toBe('totp_wrong')
  })

  it('wrong codes make the account wait like wrong passwords, even in parallel, and then the right code is refused too', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { code } = await withTotp(t, staff)
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(staff, '000000')))
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15)
    expect((await signIn(staff, code())).json().code).toBe('sign_in_blocked')
    expect(await actionsOf(staff)).toContain('account.sign_in_blocked')
    expect((await rowOf(staff)).lockedUntil!.getTime()).toBeGreaterThan(t.clock.now().getTime())
    afterWaiting()
    expect((await signIn(staff, code())).statusCode).toBe(200)
    expect((await rowOf(staff)).lockedUntil).toBeNull()
  })

  it('a secret from another installation accepts no code', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { code } = await withTotp(t, staff)
    await t.db.updateTable('accounts').set({ totpSecret: 'bm90IG91cnM' }).where('id', '=', staff.accountId).execute()
    expect((await signIn(staff, code())).json().code).toBe('totp_wrong')
    expect((await signIn(staff)).json().code).toBe('totp_required')
  })

  it('only six digits count as a code', () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', '12345a'])
      expect(stepOfCode(secret, code, new Date())).toBeUndefined()
  })
})

describe('turning it off and new recovery codes', () => {
  it('need password and code; each is refused beside its field', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { code } = await withTotp(t, staff)
    for (const path of ['/account/totp/off', '/account/totp/recovery-codes']) {
      expect((await staff.post(path, { password: testPassword, code: '' })).json().errors).toHaveProperty('code')
      expect((await staff.post(path, { code: code() })).json().errors).toHaveProperty('password')
      expect((await staff.post(path, { password: 'wrong one', code: code() })).json().errors).toHaveProperty('password')
      expect((await staff.post(path, { password: testPassword, code: '000000' })).json().errors).toHaveProperty('code')
      afterWaiting()
    }
    expect((await signIn(staff)).json().code).toBe('totp_required')
  })

  it('new codes replace the old ones', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { code, recoveryCodes } = await withTotp(t, staff)
    const renewed = await staff.post('/account/totp/recovery-codes', { password: testPassword, code: code() })
    expect(renewed.json().data.recoveryCodes).toHaveLength(10)
    expect((await signIn(staff, recoveryCodes[0])).json().code).toBe('totp_wrong')
    expect((await signIn(staff, renewed.json().data.recoveryCodes[0])).statusCode).toBe(200)
  })

  it('after turning it off, signing in needs no code, nothing about it stays stored, and the owner is notified', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { code } = await withTotp(t, staff)
    const off = await staff.post('/account/totp/off', { password: testPassword, code: code() })
    expect(off.json().data).toMatchObject({ on: false, recoveryCodesLeft: 0 })
    expect(await rowOf(staff)).toMatchObject({ totpSecret: null, totpEnabledAt: null, totpLastStep: null })
    expect((await signIn(staff)).statusCode).toBe(200)
    expect(await eventsTo(staff)).toContain('account-totp-off')
    expect(await actionsOf(staff)).toContain('account.totp_off')
  })

  it('a code used to sign in cannot turn it off', async () => {
    const staff = await asStaff(t, 'Keuangan')
    const { code } = await withTotp(t, staff)
    await signIn(staff, code())
    const off = await staff.post('/account/totp/off', { password: testPassword, code: code() })
    expect(off.json().errors).toHaveProperty('code')
  })

  it('wrong codes there count like failed sign-ins, although the password is right', async () => {
    const staff = await asStaff(t, 'Keuangan')
    await withTotp(t, staff)
    const statuses: number[] = []
    for (let guess = 0; guess < 7; guess++)
      statuses.push((await staff.post('/account/totp/off', { password: testPassword, code: '000000' })).statusCode)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429])
  })
})

describe('required second factor', () => {
  const required = async () => {
    const staff = await asWithPermissions(t, ['settings-roles-view', 'settings-accounts-impersonate'])
    const { roleId } = await rowOf(staff)
    return { staff, roleId }
  }
  const requireByRole = (id: string, requireTotp = true) =>
    t.db.updateTable('roles').set({ requireTotp }).where('id', '=', id).execute()

  it('by the role: only the set-up, the session itself and signing out are open, even in running sessions', async () => {
    const { staff, roleId } = await required()
    expect((await staff.get('/settings/roles')).statusCode).toBe(200)
    await requireByRole(roleId)
    t.services.sessions.forget()
    const open: string[] = []
    for (const { method, path, operation } of routesOf(t.app)) {
      const isOpen = /^\/api\/(account\/totp|logout$|auth\/see-as\/end$)/.test(path)
      if (!operation.security?.length || isOpen) continue
      const answer = await t.app.inject({
        method: method.toUpperCase() as 'GET',
        url: path.replace(/\{\w+\}/g, crypto.randomUUID()),
        headers: { authorization: `Bearer ${staff.token}` },
        ...(method !== 'get' && { payload: {} }),
      })
      if (answer.statusCode !== 403 || answer.json().code !== 'totp_setup_required') open.push(`${method} ${path}`)
    }
    expect(open).toEqual([])
    expect((await staff.put('/account/preferences', { theme: 'dark' })).json().code).toBe('totp_setup_required')
    expect((await staff.post('/verify_token', { api_token: staff.token })).json().totp_setup_required).toBe(true)
    expect((await signIn(staff)).json().totp_setup_required).toBe(true)
    expect((await staff.get('/account/totp')).json().data).toMatchObject({ on: false, required: true })
    await withTotp(t, staff)
    t.services.sessions.forget()
    expect((await staff.get('/settings/roles')).statusCode).toBe(200)
    expect((await staff.post('/verify_token', { api_token: staff.token })).json()).not.toHaveProperty(
      'totp_setup_required',
    )
  })

  it('by the account alone: the same, from the next request on', async () => {
    const { staff } = await required()
    expect((await staff.get('/account')).statusCode).toBe(200)
    await t.db.updateTable('accounts').set({ requireTotp: true }).where('id', '=', staff.accountId).execute()
    await expect.poll(async () => (await staff.get('/account')).json().code).toBe('totp_setup_required')
    expect((await staff.post('/logout')).statusCode).toBe(200)
  })

  it('cannot be turned off', async () => {
    const { staff, roleId } = await required()
    const { code } = await withTotp(t, staff)
    await requireByRole(roleId)
    const off = await staff.post('/account/totp/off', { password: testPassword, code: code() })
    expect([off.statusCode, off.json().code]).toEqual([409, 'totp_is_required'])
    expect((await rowOf(staff)).totpSecret).not.toBeNull()
  })

  it('cannot be avoided by seeing as another account', async () => {
    const { staff, roleId } = await required()
    const applicant = await asApplicant(t)
    await t.db
      .insertInto('rolePermissions')
      .expression((eb) =>
        eb
          .selectFrom('rolePermissions')
          .innerJoin('roles', 'roles.id', 'rolePermissions.roleId')
          .select((inner) => [inner.val(roleId).as('roleId'), 'permission'])
          .where('roles.name', '=', 'Mahasiswa'),
      )
      .execute()
    t.services.sessions.forget()
    const before = await staff.post(`/settings/accounts/${applicant.accountId}/see-as`)
    expect(before.statusCode).toBe(200)
    await requireByRole(roleId)
    t.services.sessions.forget()
    const seen = { authorization: `Bearer ${before.json().access_token}` }
    const refused = await t.app.inject({ url: '/api/dashboard', headers: seen })
    expect(refused.json().code).toBe('totp_setup_required')
    expect((await staff.post(`/settings/accounts/${applicant.accountId}/see-as`)).json().code).toBe(
      'totp_setup_required',
    )
  })
})
