import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  actorWith,
  asApplicant,
  asStaff,
  asWithPermissions,
  type TestActor,
  testPassword,
} from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  // Longer than a session, because days pass in these tests.
  await t.db.updateTable('roles').set({ sessionHours: 8760 }).where('name', '=', 'Administrator').execute()
  admin = await asStaff(t, 'Administrator', { name: 'Rina Admin' })
})
afterAll(() => t.close())
beforeEach(() => t.clock.set('2026-11-20T03:00:00Z'))

let visitor = 0
const post = (url: string, body: object) =>
  t.app.inject({ method: 'POST', url: `/api${url}`, payload: body, remoteAddress: `10.2.0.${++visitor % 250}` })
const roleId = async (name: string) =>
  (await t.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
const invitation = async (changes: object = {}) => ({
  name: 'Budi Santoso',
  email: `budi${crypto.randomUUID().slice(0, 8)}@kampus.example`,
  roleId: await roleId('Panitia PMB'),
  language: 'id' as const,
  ...changes,
})
const invite = async (changes: object = {}, inviter = admin) =>
  inviter.post('/settings/accounts', await invitation(changes))
const mailsTo = (email: string) =>
  t.db.selectFrom('messages').selectAll().where('toAddress', '=', email).orderBy('createdAt').orderBy('id').execute()
const tokenTo = async (email: string) => /([\w-]{43})\?/.exec((await mailsTo(email)).at(-1)!.link!)![1]!
const password = 'Kopi-Susu-22'
const accept = (token: string, chosen = password) =>
  post('/auth/invitation', { token, password: chosen, password_confirmation: chosen })

describe('an invitation', () => {
  it('is mailed in the chosen language; the recipient sets the password and is signed in', async () => {
    const answer = await invite({ name: '  Budi   Santoso ' })
    expect(answer.statusCode).toBe(201)
    const account = answer.json().data
    expect(account).toMatchObject({
      name: 'Budi Santoso',
      invited: true,
      hasPassword: false,
      role: { name: 'Panitia PMB' },
      invitation: { by: 'Rina Admin', expiresAt: '2026-11-23T03:00:00.000Z' },
    })
    const [mail] = await mailsTo(account.email)
    expect(mail).toMatchObject({
      event: 'account-invited',
      language: 'id',
      link: expect.stringMatching(/\/invitation\/[\w-]{43}\?lang=(en|id)$/),
    })
    const token = await tokenTo(account.email)
    expect((await post('/auth/invitation/check', { token })).json().data).toEqual({
      name: 'Budi Santoso',
      email: account.email,
      role: 'Panitia PMB',
      expiresAt: '2026-11-23T03:00:00.000Z',
    })
    expect((await post('/login', { email: account.email, password })).statusCode).toBe(401)
    const entered = await accept(token)
    expect(entered.json()).toMatchObject({ user: { email: account.email, email_verified_at: expect.any(String) } })
    const budi = actorWith(t, { accountId: account.id, email: account.email, token: entered.json().access_token })
    expect((await budi.get('/pendaftaran')).statusCode).toBe(200)
    expect((await post('/login', { email: account.email, password })).statusCode).toBe(200)
    expect((await admin.get(`/settings/accounts/${account.id}`)).json().data).toMatchObject({
      invited: false,
      invitation: null,
    })
    const actions = await t.db
      .selectFrom('auditLog')
      .select('action')
      .where('subjectId', '=', account.id)
      .orderBy('id')
      .execute()
    expect(actions.map(({ action }) => action)).toEqual([
      'account.invite',
      'account.accept_invitation',
      'account.sign_in',
    ])
  })

  it('works for 72 hours, once, and a refused password does not use it up', async () => {
    const { email } = (await invite()).json().data
    const token = await tokenTo(email)
    t.clock.set('2026-11-23T02:59:00Z')
    expect((await accept(token, 'kurang')).json().errors).toHaveProperty('password')
    expect((await accept(token, email)).json().errors).toHaveProperty('password')
    expect((await accept(token)).statusCode).toBe(200)
    expect((await accept(token)).json().code).toBe('link_used')
    const other = (await invite()).json().data
    const expiredToken = await tokenTo(other.email)
    t.clock.set('2026-11-26T03:00:00Z')
    expect((await post('/auth/invitation/check', { token: expiredToken })).json().code).toBe('link_expired')
    expect((await accept(expiredToken)).json().code).toBe('link_expired')
    expect((await accept('nonsense')).json().code).toBe('link_invalid')
  })

  it('opened three times at the same moment signs in one reader', async () => {
    const { email } = (await invite()).json().data
    const token = await tokenTo(email)
    const answers = await Promise.all([accept(token), accept(token), accept(token)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410])
  })

  it("to an address with an account is refused and names the account's owner", async () => {
    const { email } = await asStaff(t, 'Keuangan', { name: 'Dewi Keuangan' })
    const answer = await invite({ email: ` ${email.toUpperCase()} ` })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toEqual({
      email: ['This address belongs to the account of Dewi Keuangan, role Keuangan.'],
    })
  })

  it('sent five times at the same moment creates one account and one mail', async () => {
    const body = await invitation()
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.post('/settings/accounts', body)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422, 422, 422, 422])
    expect(await mailsTo(body.email)).toHaveLength(1)
  })

  it('names every wrong field', async () => {
    const answer = await invite({ email: 'budi@' })
    expect(answer.json().errors).toEqual({ email: [expect.any(String)] })
    expect((await invite({ roleId: crypto.randomUUID() })).json().errors).toHaveProperty('roleId')
    expect((await invite({ roleId: await roleId('Mahasiswa') })).json().errors).toEqual({
      roleId: ['This role is for applicants, who sign up by themselves.'],
    })
    expect((await invite({ password: 'not ours to set' })).statusCode).toBe(422)
  })

  it('assigns no role that may do, or see, more than the inviter', async () => {
    const clerk = await asWithPermissions(t, ['settings-accounts-create', 'settings-accounts-view'])
    const refused = await invite({}, clerk)
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors.roleId[0]).toContain('View: student documents')
    const empty = await t.db
      .insertInto('roles')
      .values({ name: 'Tanpa izin' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await invite({ roleId: empty.id }, clerk)).statusCode).toBe(201)
    const programme = await t.db.selectFrom('studyProgrammes').select('id').executeTakeFirst()
    if (programme) {
      const limited = await asWithPermissions(t, ['settings-accounts-create'], { programmeIds: [programme.id] })
      expect((await invite({ roleId: empty.id }, limited)).json().errors).toHaveProperty('roleId')
    }
    expect((await invite({}, await asStaff(t, 'Panitia PMB'))).statusCode).toBe(403)
  })

  it('resent ends the earlier link, and can be resent only after a minute', async () => {
    const { id, email } = (await invite()).json().data
    const first = await tokenTo(email)
    expect((await admin.post(`/settings/accounts/${id}/invitation`)).json().code).toBe('resend_too_early')
    t.clock.set('2026-11-25T03:00:00Z')
    const again = await admin.post(`/settings/accounts/${id}/invitation`)
    expect(again.json().data.invitation.expiresAt).toBe('2026-11-28T03:00:00.000Z')
    const second = await tokenTo(email)
    expect(second).not.toBe(first)
    expect((await accept(first)).json().code).toBe('link_used')
    expect((await accept(second)).statusCode).toBe(200)
    expect((await admin.post(`/settings/accounts/${id}/invitation`)).json().code).toBe('account_not_invited')
  })

  it('withdrawn leaves only its audit entries, and the address is free again', async () => {
    const { id, email } = (await invite()).json().data
    const token = await tokenTo(email)
    expect((await admin.delete(`/settings/accounts/${id}/invitation`)).statusCode).toBe(200)
    expect((await accept(token)).json().code).toBe('link_invalid')
    expect((await admin.get(`/settings/accounts/${id}`)).statusCode).toBe(404)
    expect((await admin.delete(`/settings/accounts/${id}/invitation`)).statusCode).toBe(404)
    expect((await invite({ email })).statusCode).toBe(201)
    const log = await t.db.selectFrom('auditLog').select('action').where('subjectId', '=', id).orderBy('id').execute()
    expect(log.map(({ action }) => action)).toEqual(['account.invite', 'account.invite_withdraw'])
  })

  it("cannot be withdrawn once accepted, and no applicant's account can be withdrawn", async () => {
    for (const { accountId } of [await asApplicant(t), await asStaff(t, 'Keuangan')]) {
      expect((await admin.delete(`/settings/accounts/${accountId}/invitation`)).json().code).toBe('account_not_invited')
    }
  })

  it('accepted and withdrawn at the same moment: one of the two succeeds', async () => {
    const { id, email } = (await invite()).json().data
    const token = await tokenTo(email)
    const [accepted, withdrawn] = await Promise.all([
      accept(token),
      admin.delete(`/settings/accounts/${id}/invitation`),
    ])
    expect([accepted.statusCode === 200, withdrawn.statusCode === 200].filter(Boolean)).toHaveLength(1)
    const left = await t.db.selectFrom('accounts').select('id').where('id', '=', id).execute()
    expect(left).toHaveLength(accepted.statusCode === 200 ? 1 : 0)
  })

  it('to a deactivated account is refused', async () => {
    const { id, email } = (await invite()).json().data
    const token = await tokenTo(email)
    await admin.post(`/settings/accounts/${id}/deactivate`)
    expect((await accept(token)).statusCode).toBe(410)
  })

  it('to a role that requires two-factor sign-in leads to the set-up first', async () => {
    const strict = await t.db
      .insertInto('roles')
      .values({ name: 'Ketat', requireTotp: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { email } = (await invite({ roleId: strict.id })).json().data
    expect((await accept(await tokenTo(email))).json().totp_setup_required).toBe(true)
  })

  it('is used up by a reset link that sets the first password', async () => {
    const { id, email } = (await invite()).json().data
    const token = await tokenTo(email)
    await post('/forgot_password', { email })
    await expect.poll(async () => (await mailsTo(email)).some(({ event }) => event === 'reset-password')).toBe(true)
    const reset = (await mailsTo(email))
      .find(({ event }) => event === 'reset-password')!
      .link!.match(/([\w-]{43})\?/)![1]!
    await post('/reset_password', { token: reset, password: testPassword, password_confirmation: testPassword })
    expect((await accept(token)).json().code).toBe('link_used')
    expect((await admin.get(`/settings/accounts/${id}`)).json().data.invited).toBe(false)
  })
})
