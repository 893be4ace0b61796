import { afterAll, beforeAll, expect, it } from 'vitest'
import { asApplicant, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { letterKindOf } from '#server-test/factories/letters.ts'
import { now } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let clerk: TestActor

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  clerk = await asWithPermissions(t, ['surat-view', 'surat-create', 'surat-update'])
})
afterAll(() => t?.close())

const take = async (applicant: TestActor, id: string, code: string) =>
  applicant.post(`/account/letters/${id}`, { kindId: await letterKindOf(t, code), language: 'id' })
const kindsOf = async (applicant: TestActor, id: string) =>
  (await applicant.get(`/account/letters/${id}`)).json().data.kinds

it('an applicant gets a letter once, however often the button is tapped, and prints it', async () => {
  const { id, applicant } = await aRegistration(t, { status: 'submitted' })
  const answers = await Promise.all([1, 2, 3, 4].map(() => take(applicant, id, 'registration')))
  const letters = answers.map((answer) => answer.json().data)
  expect(new Set(letters.map(({ number }) => number)).size).toBe(1)
  const print = await applicant.get(`/account/letters/${id}/${letters[0].id}/file.pdf`)
  expect(print.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect(await kindsOf(applicant, id)).toContainEqual(
    expect.objectContaining({ letters: [expect.objectContaining({ number: letters[0].number })] }),
  )
})

it('a kind issued only by the office is refused to applicants, who see and print what they were given', async () => {
  const { id, applicant } = await aRegistration(t, { status: 'submitted' })
  const invitation = await letterKindOf(t, 'invitation')
  expect((await take(applicant, id, 'invitation')).json()).toMatchObject({ code: 'letter_by_office' })
  expect((await kindsOf(applicant, id)).map((kind: { id: string }) => kind.id)).not.toContain(invitation)
  await t.db.updateTable('letterKinds').set({ selfService: true }).where('id', '=', invitation).execute()
  expect(await kindsOf(applicant, id)).toContainEqual(
    expect.objectContaining({ id: invitation, refusal: expect.stringContaining('seat') }),
  )
})

it('a withdrawn letter is not printed again, and only the office issues another', async () => {
  const { id, applicant } = await aRegistration(t, { status: 'submitted' })
  const letter = (await take(applicant, id, 'registration')).json().data
  await clerk.post(`/surat/terbit/${letter.id}/withdraw`, { reason: 'Salah nama' })
  const print = await applicant.get(`/account/letters/${id}/${letter.id}/file.pdf`)
  expect(print.json()).toMatchObject({ code: 'letter_not_valid' })
  expect((await take(applicant, id, 'registration')).json()).toMatchObject({ code: 'letter_by_office' })
  const another = (
    await clerk.post(`/pendaftaran/${id}/surat`, { kindId: await letterKindOf(t, 'registration'), language: 'id' })
  ).json().data
  expect(await kindsOf(applicant, id)).toContainEqual(
    expect.objectContaining({ selfService: false, letters: [expect.objectContaining({ id: another.id })] }),
  )
})

it('letters of other people and of another registration are not found', async () => {
  const { id, applicant } = await aRegistration(t, { status: 'submitted' })
  const letter = (await take(applicant, id, 'registration')).json().data
  const stranger = await asApplicant(t)
  const other = await aRegistration(t, { status: 'submitted' })
  const answers = [
    await stranger.get(`/account/letters/${id}`),
    await take(stranger, id, 'registration'),
    await stranger.get(`/account/letters/${id}/${letter.id}/file.pdf`),
    await other.applicant.get(`/account/letters/${other.id}/${letter.id}/file.pdf`),
    await (await asWithPermissions(t, ['pendaftaran-view'])).get(`/account/letters/${id}`),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
})
