import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardCode } from '#server/modules/admissions/registrations/registration-card.ts'
import { letterCode } from '#server/modules/letters/letter-code.ts'
import { studentCardAddress } from '#server/modules/students/cards/student-card-code.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration, payBills } from '#server-test/factories/admissions.ts'
import { now, step } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  staff = await asStaff(t, 'Panitia PMB')
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

describe('the page behind a printed code', () => {
  it('knows a registration card until the registration ends', async () => {
    const { id, code, applicant } = await aRegistration(t, { status: 'paid' })
    const card = await verify(cardCode(t.services, code))
    expect(card).toMatchObject({ kind: 'registration-card', state: 'valid', code, stage: null })
    expect(card.programme).toEqual(expect.any(String))
    await step(applicant, id, 'withdraw', { reason: 'Pindah kota' })
    expect(await verify(cardCode(t.services, code))).toMatchObject({ state: 'void' })
  })

  it('knows a letter that is valid, replaced, withdrawn, or void because the registration ended', async () => {
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

  it('knows a student card that is valid, replaced, or withdrawn with its number', async () => {
    const { id, npm } = await aStudent()
    await printCard(id, null)
    expect(await verify(studentCardCode(npm, 1))).toMatchObject({ kind: 'student-card', state: 'valid' })
    await printCard(id, 'Kartu hilang')
    expect(await verify(studentCardCode(npm, 1))).toMatchObject({ state: 'replaced' })
    expect(await verify(studentCardCode(npm, 2))).toMatchObject({ state: 'valid' })
    await staff.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason: 'Diterbitkan untuk prodi yang keliru' })
    for (const copy of [0, 1, 2]) expect(await verify(studentCardCode(npm, copy))).toMatchObject({ state: 'withdrawn' })
  })

  it('knows no code whose signature was guessed, cut or taken from another kind', async () => {
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

  it('shows initials and no name, number of an identity card, address or account', async () => {
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

  it('answers one address sixty times a minute', async () => {
    const code = cardCode(t.services, '99X00000')
    const statuses: number[] = []
    for (let count = 0; count < 62; count++) {
      const answer = await t.app.inject({ url: `/api/verifikasi/${code}`, remoteAddress: '192.0.2.9' })
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([...Array(60).fill(404), 429, 429])
  })
})
