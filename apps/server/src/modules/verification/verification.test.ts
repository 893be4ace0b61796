import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { keysOf } from '#domain/settings/sections.ts'
import { cardCode } from '#server/modules/admissions/registrations/registration-card.ts'
import { moveRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { letterCode } from '#server/modules/letters/letter-code.ts'
import { studentCardAddress } from '#server/modules/students/cards/student-card-code.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration, payBills, publish } from '#server-test/factories/admissions.ts'
import { now, step } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  staff = await asStaff(t, 'Panitia PMB')
  admin = await asStaff(t)
})
afterAll(() => t?.close())

const open = (code: string) => t.app.inject(`/api/verifikasi/${encodeURIComponent(code)}`)
const verify = async (code: string) => (await open(code)).json().data

async function aStudent() {
  const registration = await aRegistration(t, { status: 'confirmed' })
  await t.db.transaction().execute((tx) => payBills(tx, registration.id, now))
  const { npm } = (await staff.post(`/npm-mahasiswa/${registration.id}`, {})).json().data
  return { ...registration, npm: npm as string }
}

const studentCardCode = (npm: string, copy: number) =>
  decodeURIComponent(new URL(studentCardAddress(t.services, npm, copy)).pathname.slice('/verifikasi/'.length))

const printCard = (id: string, reason: string | null) =>
  staff.post('/npm-mahasiswa/cards', { ids: [id], layout: 'card', reason })

async function aLetter(registrationId: string) {
  const { id: kindId } = await t.db
    .selectFrom('letterKinds')
    .select('id')
    .where('code', '=', 'registration')
    .executeTakeFirstOrThrow()
  return (await staff.post(`/pendaftaran/${registrationId}/surat`, { kindId, language: 'id' })).json().data
}

describe('the page for a printed code', () => {
  it('confirms a registration card until the registration ends', async () => {
    const { id, code, applicant } = await aRegistration(t, { status: 'paid' })
    const card = await verify(cardCode(t.services, code))
    expect(card).toMatchObject({ kind: 'registration-card', state: 'valid', code, stage: null })
    expect(card.programme).toEqual(expect.any(String))
    await step(applicant, id, 'withdraw', { reason: 'Pindah kota' })
    expect(await verify(cardCode(t.services, code))).toMatchObject({ state: 'void' })
  })

  it('marks a letter whose facts have changed since it was issued', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    const { id: letterId } = await aLetter(id)
    const code = letterCode(t.services, letterId)
    expect(await verify(code)).toMatchObject({ state: 'valid' })
    await sql`UPDATE applicants SET full_name = 'Nama Baru' WHERE account_id = ${applicant.accountId}`.execute(t.db)
    expect(await verify(code)).toMatchObject({ state: 'changed' })
  })

  it('distinguishes letters that are valid, replaced, withdrawn, or void because the registration ended', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    const first = await aLetter(id)
    expect(await verify(letterCode(t.services, first.id))).toMatchObject({
      kind: 'letter',
      state: 'valid',
      number: first.number,
    })
    await sql`UPDATE applicants SET full_name = full_name || ' Putri'
      WHERE id = (SELECT applicant_id FROM registrations WHERE id = ${id})`.execute(t.db)
    const second = await aLetter(id)
    expect(await verify(letterCode(t.services, first.id))).toMatchObject({ state: 'replaced' })
    await staff.post(`/surat/terbit/${second.id}/withdraw`, { reason: 'Salah nama' })
    expect(await verify(letterCode(t.services, second.id))).toMatchObject({ state: 'withdrawn' })
    const third = await aLetter(id)
    await step(applicant, id, 'withdraw', { reason: 'Pindah kota' })
    expect(await verify(letterCode(t.services, third.id))).toMatchObject({ state: 'void' })
  })

  it('distinguishes student cards that are valid, replaced, or withdrawn with their number', async () => {
    const { id, npm } = await aStudent()
    await printCard(id, null)
    expect(await verify(studentCardCode(npm, 1))).toMatchObject({ kind: 'student-card', state: 'valid' })
    await printCard(id, 'Kartu hilang')
    expect(await verify(studentCardCode(npm, 1))).toMatchObject({ state: 'replaced' })
    expect(await verify(studentCardCode(npm, 2))).toMatchObject({ state: 'valid' })
    await staff.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason: 'Diterbitkan untuk prodi yang keliru' })
    for (const copy of [0, 1, 2]) expect(await verify(studentCardCode(npm, copy))).toMatchObject({ state: 'withdrawn' })
  })

  it('refuses a code whose signature was guessed, cut or taken from another kind', async () => {
    const { id, code, npm } = await aStudent()
    const letter = await aLetter(id)
    const genuine = [cardCode(t.services, code), letterCode(t.services, letter.id), studentCardCode(npm, 0)]
    const forged = [
      ...genuine.map((one) => `${one.slice(0, -4)}AAAA`),
      ...genuine.map((one) => one.slice(0, -1)),
      `${npm}-${studentCardCode(npm, 0).split('~')[2]}`,
      `${npm}~0~${cardCode(t.services, npm).split('-').at(-1)}`,
      studentCardCode('99999999', 0),
      cardCode(t.services, '99X00000'),
    ]
    for (const one of genuine) expect((await open(one)).statusCode).toBe(200)
    for (const one of forged) expect((await open(one)).statusCode, one).toBe(404)
  })

  it('shows initials, but no name, identity number, address or account', async () => {
    const { id, code, npm } = await aStudent()
    const letter = await aLetter(id)
    const { fullName } = await t.db
      .selectFrom('applicants as a')
      .innerJoin('registrations as r', 'r.applicantId', 'a.id')
      .select('a.fullName')
      .where('r.id', '=', id)
      .executeTakeFirstOrThrow()
    for (const one of [cardCode(t.services, code), letterCode(t.services, letter.id), studentCardCode(npm, 0)]) {
      const answer = await open(one)
      expect(answer.json().data.initials).toMatch(/^\S\.( \S\.)*$/)
      expect(answer.body).not.toContain(fullName)
      expect(answer.body).not.toContain(id)
    }
  })
})

describe('the public stage of a registration', () => {
  const makePublic = async (publicStage: boolean) => {
    const { values, versions } = (await admin.get('/settings/general')).json().data
    const privacy = Object.fromEntries(keysOf('privacy').map((key) => [key, values[key]]))
    const answer = await admin.put('/settings/general/privacy', { ...privacy, publicStage, version: versions.privacy })
    expect(answer.statusCode).toBe(200)
  }
  const stageOf = async (code: string) => (await verify(cardCode(t.services, code))).stage
  afterEach(async () => {
    t.clock.set(now)
    await t.db.deleteFrom('settings').where('key', '=', 'publicStage').execute()
  })

  it('is hidden until the university turns it on, which the audit log records', async () => {
    const { code } = await aRegistration(t, { status: 'paid' })
    expect(await stageOf(code)).toBeNull()
    await makePublic(true)
    expect(await stageOf(code)).not.toBeNull()
    const entry = await t.db
      .selectFrom('auditLog')
      .select(['before', 'after', 'actorId'])
      .where('action', '=', 'settings.update')
      .where('subjectId', '=', 'privacy')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry).toEqual({
      before: { publicStage: false },
      after: { publicStage: true },
      actorId: admin.accountId,
    })
    await makePublic(false)
    expect(await stageOf(code)).toBeNull()
  })

  it('does not depend on the decision, before or after its publication', async () => {
    await makePublic(true)
    const { tracks } = await academicOf(t)
    const trackId = tracks.achievement
    const waiting = await aRegistration(t, { status: 'verified', trackId })
    const accepted = await aRegistration(t, { status: 'decided', trackId })
    const refused = await aRegistration(t, { status: 'decided', decision: 'not_accepted', trackId })
    const unverified = await aRegistration(t, { status: 'paid', trackId })
    const answers = () =>
      Promise.all(
        [waiting, accepted, refused].map(async ({ code }) => {
          const { code: _code, initials: _initials, ...answer } = await verify(cardCode(t.services, code))
          return answer
        }),
      )
    const publishAt = new Date(now.getTime() + 3_600_000)
    await publish(t, trackId, publishAt)
    for (const [at, stage] of [
      [now, 'selection'],
      [new Date(publishAt.getTime() - 1), 'selection'],
      [publishAt, 'announced'],
    ] as const) {
      t.clock.set(at)
      const [first, ...others] = await answers()
      expect(first).toMatchObject({ state: 'valid', stage })
      expect(others).toEqual([first, first])
      expect(await stageOf(unverified.code)).toBe(stage === 'selection' ? 'documents' : 'announced')
    }
  })

  it('is "ended" both after a withdrawal and after an expired offer', async () => {
    await makePublic(true)
    const withdrawn = await aRegistration(t, { status: 'paid' })
    await step(withdrawn.applicant, withdrawn.id, 'withdraw', { reason: 'Pindah kota' })
    const expired = await aRegistration(t, { status: 'decided' })
    await inTransaction(t.services, systemActor, (context) => moveRegistration(context, expired.id, 'expireOffer'))
    for (const { code } of [withdrawn, expired])
      expect(await verify(cardCode(t.services, code))).toMatchObject({ state: 'void', stage: 'ended' })
  })

  it('is shown for genuine registration cards only', async () => {
    await makePublic(true)
    const { id, code, npm } = await aStudent()
    const letter = await aLetter(id)
    expect(await stageOf(code)).toBe('announced')
    for (const one of [letterCode(t.services, letter.id), studentCardCode(npm, 0)])
      expect(await verify(one)).not.toHaveProperty('stage')
    expect((await open(`${code}-00000000000000000000`)).statusCode).toBe(404)
  })
})

it('one IP address gets sixty answers a minute', async () => {
  const code = cardCode(t.services, '99X00000')
  const statuses: number[] = []
  for (let count = 0; count < 62; count++) {
    const answer = await t.app.inject({ url: `/api/verifikasi/${code}`, remoteAddress: '192.0.2.9' })
    statuses.push(answer.statusCode)
  }
  expect(statuses).toEqual([...Array(60).fill(404), 429, 429])
})
