import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { letterKindOf } from '#server-test/factories/letters.ts'
import { now, step } from '#server-test/factories/registrations/registration-steps.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { letterCode } from './letter-code.ts'

let t: TestApp
let clerk: TestActor

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  clerk = await asWithPermissions(t, ['surat-view', 'surat-create', 'surat-update'])
})
afterAll(() => t?.close())

const give = async (id: string, code = 'registration', language = 'id') =>
  clerk.post(`/pendaftaran/${id}/surat`, { kindId: await letterKindOf(t, code), language })
const verified = async (id: string) =>
  (await t.app.inject({ url: `/api/verifikasi/${letterCode(t.services, id)}` })).json().data

const content = {
  nameEn: 'Invitation of parents',
  nameId: 'Undangan orang tua',
  audience: 'registered',
  active: true,
  selfService: false,
  titleEn: 'Invitation',
  titleId: 'Undangan',
  bodyEn: 'Dear parents of {{name}}',
  bodyId: 'Kepada orang tua {{name}}',
  numberTemplate: '{SEQ:3}/OT/{month}/{YYYY}',
  signatoryName: '',
  signatoryTitle: '',
  validDays: 7,
}

describe('a letter', () => {
  it('is issued with the next number, printed again byte for byte, and issued again while it is correct', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    const first = (await give(id)).json().data
    expect(first).toMatchObject({ state: 'valid', language: 'id' })
    expect(first.number).toMatch(/^\d{4}\/PMB\/SKP\/[IVX]+\/\d{4}$/)
    const prints = await Promise.all([1, 2, 3].map(() => clerk.get(`/surat/terbit/${first.id}/file.pdf`)))
    expect(prints.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    t.clock.set(new Date(now.getTime() + 3_600_000))
    const later = await clerk.get(`/surat/terbit/${first.id}/file.pdf`)
    t.clock.set(now)
    for (const print of prints) expect(print.rawPayload.equals(later.rawPayload)).toBe(true)
    expect(later.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await give(id)).json().data.id).toBe(first.id)
  })

  it('is replaced under a new number once its facts change, and the public page says so', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    const first = (await give(id)).json().data
    expect(await verified(first.id)).toMatchObject({ number: first.number, state: 'valid' })
    await t.db
      .updateTable('applicants')
      .set({ fullName: 'Nama Yang Baru' })
      .where('accountId', '=', applicant.accountId)
      .execute()
    const second = (await give(id)).json().data
    expect(second.number).not.toBe(first.number)
    expect((await verified(first.id)).state).toBe('replaced')
    expect(await verified(second.id)).toMatchObject({ initials: 'N. Y. B.', state: 'valid' })
  })

  it('is replaced when the office issues it again with another text, and stays the same for the applicant', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    const first = (await give(id)).json().data
    const kind = await t.db
      .selectFrom('letterKinds')
      .selectAll()
      .where('code', '=', 'registration')
      .executeTakeFirstOrThrow()
    const { nameEn, nameId, selfService, version } = kind
    const corrected = { ...content, nameEn, nameId, selfService, version, bodyId: 'Tempat tes {{name}} pindah.' }
    expect((await clerk.put(`/surat/${kind.id}`, corrected)).statusCode).toBe(200)
    const own = { kindId: kind.id, language: 'id' }
    expect((await applicant.post(`/account/letters/${id}`, own)).json().data.id).toBe(first.id)
    const second = (await give(id)).json().data
    expect(second.number).not.toBe(first.number)
    expect((await verified(first.id)).state).toBe('replaced')
    expect((await give(id)).json().data.id).toBe(second.id)
  })

  it('replaced before its first printing is not drawn', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    const letter = (await give(id)).json().data
    await clerk.post(`/surat/terbit/${letter.id}/withdraw`, { reason: 'Salah nama' })
    expect((await clerk.get(`/surat/terbit/${letter.id}/file.pdf`)).json()).toMatchObject({ code: 'letter_not_valid' })
  })

  it('issued by two clerks at once takes one number', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => give(id)))
    expect(new Set(answers.map((answer) => answer.json().data?.number)).size).toBe(1)
    const rows = await t.db.selectFrom('letters').select('id').where('registrationId', '=', id).execute()
    expect(rows).toHaveLength(1)
  })

  it('is refused with its missing facts, and for an unpublished result', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    expect((await give(id, 'payment')).json()).toMatchObject({ code: 'letter_facts_missing' })
    expect((await give(id, 'acceptance')).json()).toMatchObject({ code: 'result_not_published' })
    const draft = await aRegistration(t)
    expect((await give(draft.id)).json()).toMatchObject({ code: 'letter_not_registered' })
  })

  it('no longer holds after the registration ended', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'paid' })
    const letter = (await give(id)).json().data
    await step(applicant, id, 'withdraw', { reason: 'Pindah kota' })
    expect(await verified(letter.id)).toMatchObject({ state: 'void' })
  })

  it('is withdrawn once, with a reason, and its number is not reused', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    const letter = (await give(id)).json().data
    const withdraw = () => clerk.post(`/surat/terbit/${letter.id}/withdraw`, { reason: 'Salah nama' })
    expect((await withdraw()).json().data).toMatchObject({ state: 'withdrawn', withdrawnReason: 'Salah nama' })
    expect((await withdraw()).json()).toMatchObject({ code: 'letter_not_valid' })
    expect((await verified(letter.id)).state).toBe('withdrawn')
    expect((await give(id)).json().data.number).not.toBe(letter.number)
  })

  it('cannot be changed in the database, and neither can its text', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    const letter = (await give(id)).json().data
    for (const change of [
      sql`UPDATE letters SET number = 'X' WHERE id = ${letter.id}`,
      sql`UPDATE letters SET facts = '{}' WHERE id = ${letter.id}`,
      sql`UPDATE letter_templates SET body_id = 'lain' WHERE true`,
    ])
      await expect(change.execute(t.db)).rejects.toThrow(/does not change/)
  })

  it('with a forged code is unknown', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    const letter = (await give(id)).json().data
    const forged = `${letterCode(t.services, letter.id).slice(0, -4)}AAAA`
    expect((await t.app.inject({ url: `/api/verifikasi/${forged}` })).statusCode).toBe(404)
  })
})

describe('a kind of letter', () => {
  it('keeps the text of issued letters when it changes', async () => {
    const kind = (await clerk.post('/surat', { code: 'parents', ...content })).json().data
    expect(kind.templateVersion).toBe(1)
    const { id } = await aRegistration(t, { status: 'submitted' })
    const first = (await clerk.post(`/pendaftaran/${id}/surat`, { kindId: kind.id, language: 'id' })).json().data
    expect(first.validUntil).not.toBeNull()
    const changed = { version: kind.version, ...content, bodyId: 'Bapak dan Ibu dari {{name}} yang terhormat' }
    const after = (await clerk.put(`/surat/${kind.id}`, changed)).json().data
    expect(after.templateVersion).toBe(2)
    expect((await clerk.put(`/surat/${kind.id}`, changed)).json().code).toBe('stale_version')
    const { templateVersion } = (
      await clerk.put(`/surat/${kind.id}`, { ...changed, version: after.version, nameEn: 'Another name' })
    ).json().data
    expect(templateVersion).toBe(2)
    expect((await clerk.get(`/surat/terbit/${first.id}/file.pdf`)).statusCode).toBe(200)
    const { version } = await t.db
      .selectFrom('letters as l')
      .innerJoin('letterTemplates as t', 't.id', 'l.letterTemplateId')
      .select('t.version')
      .where('l.id', '=', first.id)
      .executeTakeFirstOrThrow()
    expect(version).toBe(1)
  })

  it('cannot change its audience, so that issued letters neither start nor cease to hold', async () => {
    const kind = (await clerk.get(`/surat/${await letterKindOf(t, 'acceptance')}`)).json().data
    const answer = await clerk.put(`/surat/${kind.id}`, { version: kind.version, ...content })
    expect(answer.json().errors).toHaveProperty('audience')
    const change = sql`UPDATE letter_kinds SET audience = 'registered' WHERE id = ${kind.id}`.execute(t.db)
    await expect(change).rejects.toThrow('audience')
  })

  it('refuses placeholders that cannot be filled, and number templates that would repeat', async () => {
    const refused = async (change: object) =>
      (await clerk.post('/surat', { code: 'refused', ...content, ...change })).json().errors
    expect(await refused({ bodyId: 'Halo {{nik}}' })).toHaveProperty('bodyId')
    expect(await refused({ bodyEn: 'Accepted in {{programme}}' })).toHaveProperty('bodyEn')
    expect(await refused({ numberTemplate: 'SURAT-{YYYY}' })).toHaveProperty('numberTemplate')
    expect(await refused({ numberTemplate: '{SEQ:4}' })).toHaveProperty('numberTemplate')
  })

  it('invites to a test only applicants with a seat, and nobody once the result is published', async () => {
    const { id, academic } = await aRegistration(t, { status: 'paid' })
    expect((await give(id, 'invitation')).json().code).toBe('letter_seat_first')
    const testSessionId = await testSession(t.db, academic, now)
    await t.db.insertInto('testSeats').values({ registrationId: id, testSessionId, status: 'booked' }).execute()
    expect((await give(id, 'invitation')).statusCode).toBe(200)
    const { id: confirmed } = await aRegistration(t, { status: 'confirmed' })
    expect((await give(confirmed, 'invitation')).json().code).toBe('letter_test_over')
    await t.db
      .insertInto('testSeats')
      .values({ registrationId: confirmed, testSessionId, status: 'attended' })
      .execute()
    expect((await give(confirmed, 'invitation')).json().code).toBe('letter_test_over')
  })

  it('two kinds with one number template share a counter', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    const twin = async (code: string) => {
      const kind = (await clerk.post('/surat', { code, ...content, numberTemplate: 'TWIN{SEQ:3}/{YYYY}' })).json().data
      return (await clerk.post(`/pendaftaran/${id}/surat`, { kindId: kind.id, language: 'id' })).json().data.number
    }
    expect([await twin('twin-a'), await twin('twin-b')].map((number) => number.slice(0, 7))).toEqual([
      'TWIN001',
      'TWIN002',
    ])
  })
})
