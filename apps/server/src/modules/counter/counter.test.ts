import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { counterDomain } from '#domain/accounts/mailbox.ts'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor, testPassword } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import { days, now } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sheetOf } from './counter-sheet.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  clerk = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t?.close())

const person = (changes: object = {}) => ({
  name: 'Sari  Rekaan',
  email: null,
  phone: null,
  nik: null,
  waveId: academic.wave,
  trackId: academic.tracks.regular,
  entryLevelId: academic.entryLevel,
  classProgrammeId: academic.classProgramme,
  choices: [academic.programmes[0]],
  ...changes,
})
const register = (changes: object, by = clerk, key?: string) =>
  by.post('/pendaftaran/counter', person(changes), key ? { 'idempotency-key': key } : {})
const clerkActor = async () => (await findActorOf(t.db, clerk.accountId, t.clock.now()))!
const accountsLike = (phone: string) => t.db.selectFrom('accounts').selectAll().where('phone', '=', phone).execute()

describe('an applicant at the counter', () => {
  it('with an e-mail address gets an account, an invitation and a registration opened by the clerk', async () => {
    const answer = await register({ email: 'Sari.Loket@example.com', phone: '0812 1000 0001' })
    expect(answer.statusCode, answer.body).toBe(201)
    const { data } = (await clerk.get(`/pendaftaran/${answer.json().data.id}`)).json()
    expect(data).toMatchObject({ status: 'draft', applicant: { name: 'Sari Rekaan', email: 'Sari.Loket@example.com' } })
    const [account] = await accountsLike('+6281210000001')
    expect(account).toMatchObject({ passwordHash: null, invitedBy: clerk.accountId })
    expect(account!.consentVersion).toBeTruthy()
    const mails = await t.db
      .selectFrom('messages')
      .select('event')
      .where('toAddress', '=', 'Sari.Loket@example.com')
      .execute()
    expect(mails.map(({ event }) => event)).toEqual(['account-invited'])
    const log = await t.db
      .selectFrom('auditLog')
      .select(['action', 'actorId'])
      .where('subjectId', 'in', [account!.id, data.id])
      .execute()
    expect(log).toEqual(
      expect.arrayContaining([
        { action: 'account.open_at_counter', actorId: clerk.accountId },
        { action: 'registration.create', actorId: clerk.accountId },
      ]),
    )
  })

  it('without an e-mail address signs in with the link on the sheet, and no mail is sent', async () => {
    const answer = await register({ name: 'Tanpa Surel', phone: '0812 1000 0002' })
    expect(answer.statusCode, answer.body).toBe(201)
    const { id } = answer.json().data
    const [account] = await accountsLike('+6281210000002')
    expect(account!.email).toMatch(new RegExp(`^\\d{8}@${counterDomain}$`))
    for (const language of ['id', 'en']) {
      const pdf = await clerk.get(`/pendaftaran/${id}/sheet.pdf?language=${language}`)
      expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    }
    const { signIn, language } = await sheetOf(t.services, await clerkActor(), id)
    expect([language, signIn!.path]).toEqual(['id', expect.stringContaining('lang=id')])
    const token = /^\/invitation\/([^?]+)/.exec(signIn!.path)![1]
    const accepted = await t.app.inject({
      method: 'POST',
      url: '/api/auth/invitation',
      payload: { token, password: testPassword, password_confirmation: testPassword },
    })
    expect(accepted.json().user).toMatchObject({ id: account!.id, role: { name: 'Mahasiswa' } })
    const login = await t.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: account!.email, password: testPassword },
    })
    expect(login.statusCode, login.body).toBe(200)
    expect(
      await t.db.selectFrom('messages').select('id').where('toAddress', 'like', `%@${counterDomain}`).execute(),
    ).toEqual([])
    // Another sheet lets the applicant replace a forgotten password.
    expect((await sheetOf(t.services, await clerkActor(), id, 'id')).signIn!.path).toMatch(/^\/password-reset\//)
  })

  it('without e-mail address and phone is refused, with the error at the phone', async () => {
    const answer = await register({ name: ' ' })
    expect([answer.statusCode, Object.keys(answer.json().errors).toSorted()]).toEqual([422, ['name', 'phone']])
  })
})

describe('a person', () => {
  it('is found by NIK or e-mail address, and the clerk registers that account', async () => {
    const nik = '3578015705080001'
    await register({ email: 'kenal@example.com', phone: '0812 1000 0003', nik })
    const again = await register({ name: 'Sari', phone: '0812 1000 0009', nik, isAnotherPerson: true })
    expect([again.statusCode, again.json().code]).toEqual([409, 'person_known'])
    const [known] = again.json().data.people
    expect(known).toMatchObject({ name: 'Sari Rekaan', email: 'k•••@example.com', matches: ['nik'] })
    expect(known.registrations).toHaveLength(1)
    const other = { trackId: academic.tracks.achievement, nik, phone: '0812 1000 0009', accountId: known.accountId }
    const chosen = await register(other)
    expect(chosen.statusCode, chosen.body).toBe(201)
    const twice = await register(other)
    expect([twice.statusCode, twice.json().code]).toEqual([409, 'applicant_has_registration'])
    expect(await accountsLike('+6281210000009')).toEqual([])
  })

  it('found by a shared family phone may be another child', async () => {
    const phone = '0812 1000 0004'
    await register({ name: 'Kakak Rekaan', phone })
    expect((await register({ name: 'Adik Rekaan', phone })).json().code).toBe('person_known')
    expect((await register({ name: 'Adik Rekaan', phone, isAnotherPerson: true })).statusCode).toBe(201)
    expect(await accountsLike('+6281210000004')).toHaveLength(2)
  })

  it('chosen by a shared phone is refused while the NIK or e-mail address is that of another', async () => {
    const nik = '3201010203040005'
    await register({ name: 'Siti Rekaan', email: 'siti.loket@example.com', phone: '0812 1000 0013', nik })
    await register({ name: 'Budi Rekaan', phone: '0812 1000 0014' })
    const [budi] = await accountsLike('+6281210000014')
    for (const certain of [{ nik }, { email: 'SITI.loket@example.com' }]) {
      const answer = await register({
        name: 'Siti Rekaan',
        phone: '0812 1000 0014',
        trackId: academic.tracks.achievement,
        accountId: budi!.id,
        ...certain,
      })
      expect([answer.statusCode, answer.json().code], answer.body).toEqual([409, 'person_known'])
      expect(answer.json().data.people).toHaveLength(2)
    }
    const drafts = t.db.selectFrom('registrations').select('trackId').where('accountId', '=', budi!.id)
    expect(await drafts.execute()).toEqual([{ trackId: academic.tracks.regular }])
  })

  it('is chosen only among the people found; any other account id is refused', async () => {
    const stranger = await asApplicant(t, { profile: true })
    const answer = await register({ phone: '0812 1000 0005', accountId: stranger.accountId })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['accountId']])
  })

  it('whose account is deactivated is refused with a sentence for the clerk in both languages', async () => {
    const phone = '0812 1000 0015'
    await register({ name: 'Nonaktif Rekaan', phone })
    const [account] = await accountsLike('+6281210000015')
    await t.db.updateTable('accounts').set({ active: false }).where('id', '=', account!.id).execute()
    const other = { phone, trackId: academic.tracks.achievement, accountId: account!.id }
    for (const [language, sentence] of [
      ['en', 'is deactivated'],
      ['id', 'dinonaktifkan'],
    ]) {
      const answer = await clerk.post('/pendaftaran/counter', person(other), { 'accept-language': language! })
      expect([answer.statusCode, answer.json().code], answer.body).toEqual([409, 'person_inactive'])
      expect(answer.json().message).toContain(sentence)
    }
    const drafts = t.db.selectFrom('registrations').select('trackId').where('accountId', '=', account!.id)
    expect(await drafts.execute()).toEqual([{ trackId: academic.tracks.regular }])
    const another = await register({ name: 'Adik Rekaan', phone, isAnotherPerson: true })
    expect(another.statusCode, another.body).toBe(201)
  })

  it('who has an open registration is refused with a sentence for the clerk, not for the applicant', async () => {
    const phone = '0812 1000 0016'
    await register({ name: 'Dua Kali', phone })
    const [account] = await accountsLike('+6281210000016')
    const answer = await register({ phone, accountId: account!.id })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'applicant_has_registration'])
    expect(answer.json().message).not.toMatch(/\b(You|Anda)\b/)
  })

  it('has a name without invisible characters', async () => {
    await register({ name: 'Budi\u202e Rekaan', phone: '0812 1000 0017' })
    expect(await accountsLike('+6281210000017')).toMatchObject([{ name: 'Budi Rekaan' }])
  })

  it('with a NIK that cannot be is refused', async () => {
    for (const nik of ['0000000000000000', '3501013202080001', '3501011513080001', '3501013002080001']) {
      const answer = await register({ phone: '0812 1000 0018', nik })
      expect([answer.statusCode, Object.keys(answer.json().errors ?? {})], nik).toEqual([422, ['nik']])
    }
  })

  it('entered by two clerks at once gets one account', async () => {
    const colleague = await asStaff(t, 'Panitia PMB')
    const answers = await Promise.all([clerk, colleague].map((by) => register({ phone: '0812 1000 0006' }, by)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toMatchObject({
      code: 'person_known',
      data: { people: [{ matches: ['phone'], registrations: [{}] }] },
    })
    expect(await accountsLike('+6281210000006')).toHaveLength(1)
  })

  it('is registered once after a double tap', async () => {
    const key = 'counter-double-tap-0001'
    const answers = [
      await register({ phone: '0812 1000 0007' }, clerk, key),
      await register({ phone: '0812 1000 0007' }, clerk, key),
    ]
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  })
})

describe('the rules for applicants', () => {
  it('apply at the counter: a closed wave or a programme not offered is refused, and no account is left', async () => {
    t.clock.set(days(400))
    const late = await asStaff(t, 'Panitia PMB')
    const answer = await register({ phone: '0812 1000 0008' }, late)
    t.clock.set(now)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['trackId']])
    expect(await accountsLike('+6281210000008')).toEqual([])
  })

  it('let staff submit a draft once its data are complete; before, the missing fields are named', async () => {
    const { id } = (await register({ name: 'Belum Lengkap', phone: '0812 1000 0010' })).json().data
    const answer = await clerk.post(`/pendaftaran/${id}/submit`, {})
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toContain('profile.birthDate')
  })
})

describe("the counter's permission", () => {
  it('is needed by staff, and applicants are refused', async () => {
    const applicant = await asApplicant(t, { profile: true })
    const viewer = await asWithPermissions(t, ['pendaftaran-view', 'pendaftaran-create'])
    for (const actor of [applicant, viewer])
      expect((await register({ phone: '0812 1000 0011' }, actor)).statusCode).toBe(403)
  })

  it('of a clerk limited to a programme reaches only that programme and masks other names', async () => {
    const limited = await asWithPermissions(t, ['pendaftaran-view', 'pendaftaran-counter'], {
      programmeIds: [academic.programmes[0]!],
    })
    const choices = [academic.programmes[1]]
    const outside = await register({ phone: '0812 1000 0012', choices }, limited)
    expect([outside.statusCode, Object.keys(outside.json().errors)]).toEqual([422, ['choices']])
    const { id } = (await register({ name: 'Orang Lain', phone: '0812 1000 0012', choices })).json().data
    const known = (await register({ phone: '0812 1000 0012' }, limited)).json().data.people[0]
    expect(known).toMatchObject({ name: 'O**** L***', registrations: [] })
    expect((await limited.get(`/pendaftaran/${id}/sheet.pdf`)).statusCode).toBe(404)
  })
})
