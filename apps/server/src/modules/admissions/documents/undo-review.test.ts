import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPdf } from '#server-test/factories/applicants.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { createDocumentSlots } from './document-slots.ts'

type Slot = { id: string; status: string; required: boolean; version: number; undoSeconds: number | null }

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let other: TestActor
let applicant: TestActor
let id: string
/** The required slots, both with a file. */
let first: Slot
let last: Slot

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Panitia PMB')
  other = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t.close())

let count = 0
beforeEach(async () => {
  t.clock.set(new Date(Date.now() + ++count * 600_000))
  applicant = await asApplicant(t, { profile: true })
  const { id: applicantId } = await t.db
    .selectFrom('applicants')
    .select('id')
    .where('accountId', '=', applicant.accountId)
    .executeTakeFirstOrThrow()
  const made = await t.db
    .insertInto('registrations')
    .values({
      code: `URG${String(count).padStart(5, '0')}`,
      applicantId,
      accountId: applicant.accountId,
      waveId: academic.wave,
      trackId: academic.tracks.regular,
      entryLevelId: academic.entryLevel,
      classProgrammeId: academic.classProgramme,
      programmeId: academic.programmes[0],
      status: 'paid',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  id = made.id
  await createDocumentSlots(t.db, id, academic.tracks.regular)
  for (const slot of (await slots()).filter(({ required }) => required)) await send(slot)
  ;[first, last] = (await slots()).filter(({ required }) => required) as [Slot, Slot]
})

const slots = async (): Promise<Slot[]> => (await clerk.get(`/pendaftaran/${id}/files`)).json().data
const now = async ({ id: same }: Slot) => (await slots()).find((slot) => slot.id === same)!
const send = (slot: Slot) =>
  applicant.upload(`/pendaftaran/${id}/files/${slot.id}`, { name: 'a.pdf', type: 'application/pdf', bytes: aPdf() })
const review = (actor: TestActor, slot: Slot, action: string, body: object = {}) =>
  actor.post(`/documents/${slot.id}/${action}`, { version: slot.version, ...body })
const undo = (actor: TestActor, { id: documentId, version }: Slot) =>
  actor.post(`/documents/${documentId}/undo`, { version })
const reviewed = async (actor: TestActor, slot: Slot, action: string, body: object = {}): Promise<Slot> => {
  const answer = await review(actor, slot, action, body)
  expect(answer.statusCode).toBe(200)
  return answer.json().data
}
const status = async () =>
  (await t.db.selectFrom('registrations').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const wait = (seconds: number) => t.clock.set(new Date(t.clock.now().getTime() + seconds * 1000))
const told = async () => {
  await t.runJobs()
  const rows = await t.db
    .selectFrom('messages')
    .select('event')
    .where('accountId', '=', applicant.accountId)
    .where('channel', '=', 'inbox')
    .orderBy('createdAt')
    .execute()
  return rows.map(({ event }) => event)
}
const reason = { reason: 'Gambar buram.' }

describe('within the minute', () => {
  test.each([
    ['approve', {}],
    ['reject', reason],
    ['waive', {}],
  ])('%s is undone as if it had not been, and nobody is told', async (action, body) => {
    const after = await reviewed(clerk, first, action, body)
    expect(after.undoSeconds).toBe(60)
    wait(59)
    expect((await now(first)).undoSeconds).toBe(1)
    const { data } = (await undo(clerk, after)).json()
    expect(data).toMatchObject({ status: 'uploaded', rejectReason: null, reviewedBy: null, undoSeconds: null })
    wait(120)
    expect(await told()).toEqual([])
    const log = await t.db.selectFrom('auditLog').select('action').where('subjectId', '=', first.id).execute()
    expect(log.map((entry) => entry.action)).toContain('document.undo')
  })

  test('a deferral is undone', async () => {
    const optional = (await slots()).find(({ required }) => !required)!
    const after = await reviewed(clerk, optional, 'defer', { until: '2090-01-01' })
    expect((await undo(clerk, after)).json().data).toMatchObject({ status: 'empty', deferredUntil: null })
  })

  test('the approval that verified is undone: the registration is paid again and its message never comes', async () => {
    await reviewed(clerk, first, 'approve')
    const after = await reviewed(clerk, last, 'approve')
    expect(await status()).toBe('verified')
    expect((await undo(clerk, after)).json().meta.documentsState).toBe('to_review')
    expect(await status()).toBe('paid')
    wait(120)
    expect(await told()).toEqual([])
    await reviewed(clerk, await now(last), 'approve')
    wait(61)
    expect(await told()).toEqual(['registration-verified'])
  })

  test('a payment verified what was just approved: undoing takes that back and says so', async () => {
    await t.db.updateTable('registrations').set({ status: 'submitted' }).where('id', '=', id).execute()
    await reviewed(clerk, first, 'approve')
    const after = await reviewed(clerk, last, 'approve')
    await t.services.jobs.publish(t.db, 'bill.settled', {
      billId: crypto.randomUUID(),
      registrationId: id,
      kind: 'registration_fee',
    })
    expect(await told()).toEqual(['registration-verified'])
    expect(await status()).toBe('verified')
    await undo(clerk, after)
    expect(await status()).toBe('paid')
    expect((await told()).sort()).toEqual(['document-reopened', 'registration-verified'])
  })

  test('undoing a reopening brings the review before it back, with the message it still owes', async () => {
    const rejected = await reviewed(clerk, first, 'reject', reason)
    wait(20)
    const reopened = await reviewed(clerk, rejected, 'reopen', reason)
    wait(50)
    expect(await told()).toEqual([])
    expect((await undo(clerk, reopened)).json().data).toMatchObject({
      status: 'rejected',
      ...{ rejectReason: reason.reason },
    })
    expect(await told()).toEqual(['document-rejected'])
  })
})

describe('too late', () => {
  test('at the 60th second it is still undone, after it no more, and the applicant is told', async () => {
    const one = await reviewed(clerk, first, 'reject', reason)
    const two = await reviewed(clerk, last, 'reject', reason)
    wait(60)
    expect((await undo(clerk, one)).statusCode).toBe(200)
    wait(1)
    const late = await undo(clerk, two)
    expect(late.statusCode).toBe(409)
    expect(late.json()).toMatchObject({ code: 'undo_over', message: expect.stringContaining('with a reason') })
    expect(await told()).toEqual(['document-rejected'])
  })

  test('the message and the undo at the same moment: told and kept, or undone and not told', async () => {
    for (let round = 0; round < 5; round++) {
      const after = await reviewed(clerk, await now(first), 'reject', reason)
      wait(60)
      const before = (await told()).length
      const racing = await reviewed(clerk, await now(last), 'reject', reason)
      wait(60)
      const [undone] = await Promise.all([undo(clerk, racing), t.runJobs()])
      expect((await told()).length - before).toBe(undone.statusCode === 200 ? 0 : 1)
      for (const slot of [after, racing]) {
        const current = await now(slot)
        if (current.status === 'rejected') await reviewed(clerk, current, 'reopen', reason)
      }
      wait(120)
      await t.runJobs()
    }
  })

  test('twice: the second is told that it was done', async () => {
    const after = await reviewed(clerk, first, 'approve')
    const both = await Promise.all([undo(clerk, after), undo(clerk, after)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(both.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('undo_done')
    expect(await now(first)).toMatchObject({ status: 'uploaded', version: after.version + 1 })
  })

  test('a colleague took it back first, or at the same moment: one wins', async () => {
    const after = await reviewed(clerk, first, 'approve')
    expect((await undo(other, after)).json().code).toBe('undo_of_another')
    const [undone, reopened] = await Promise.all([undo(clerk, after), review(other, after, 'reopen', reason)])
    expect([undone.statusCode, reopened.statusCode].sort()).toEqual([200, 409])
    expect((await now(first)).version).toBe(after.version + 1)
  })

  test('the applicant has sent another file: the rejection is not undone and not told', async () => {
    const after = await reviewed(clerk, first, 'reject', reason)
    await send(first)
    expect((await undo(clerk, after)).json().code).toBe('document_replaced')
    expect(await now(first)).toMatchObject({ status: 'uploaded', undoSeconds: null })
    wait(120)
    expect(await told()).toEqual([])
  })

  test('a clerk of other programmes knows of no such document; one who may not verify may not undo', async () => {
    const after = await reviewed(clerk, first, 'approve')
    const slugs = ['pendaftaran-view', 'pendaftaran-verify']
    const elsewhere = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[1]] })
    expect((await undo(elsewhere, after)).statusCode).toBe(404)
    expect((await undo(await asWithPermissions(t, ['pendaftaran-view']), after)).statusCode).toBe(403)
  })
})

describe('reopening later', () => {
  test('a rejected document waits for review again; the applicant hears that nothing is to be done', async () => {
    await reviewed(clerk, first, 'reject', reason)
    wait(3600)
    expect(await told()).toEqual(['document-rejected'])
    const after = await reviewed(other, await now(first), 'reopen', reason)
    expect(after).toMatchObject({ status: 'uploaded', rejectReason: null })
    wait(61)
    expect((await told()).sort()).toEqual(['document-rejected', 'document-reopened'])
  })

  test('an approval that verified takes the verification back; a verification without it stays', async () => {
    for (const slot of [first, last]) await reviewed(clerk, slot, 'approve')
    const asked = (await clerk.post(`/pendaftaran/${id}/files`, { name: 'Surat pindah' })).json().data
    wait(3600)
    const waived = await reviewed(clerk, asked, 'waive')
    await reviewed(clerk, waived, 'reopen', reason)
    expect(await status()).toBe('verified')
    await reviewed(clerk, await now(first), 'reopen', reason)
    expect(await status()).toBe('paid')
  })

  test('after the decision on the registration it is refused with a sentence, and so is undoing', async () => {
    await reviewed(clerk, first, 'approve')
    const after = await reviewed(clerk, last, 'approve')
    await t.db
      .updateTable('registrations')
      .set({
        status: 'decided',
        decision: 'accepted',
        acceptedProgrammeId: academic.programmes[0],
        decidedAt: t.clock.now(),
      })
      .where('id', '=', id)
      .execute()
    for (const answer of [await review(clerk, after, 'reopen', reason), await undo(clerk, after)]) {
      expect(answer.statusCode).toBe(409)
      expect(answer.json()).toMatchObject({
        code: 'document_under_decision',
        message: expect.stringContaining('Revert the decision'),
      })
    }
    wait(10)
    const optional = (await slots()).find(({ required }) => !required)!
    await send(optional)
    const later = await reviewed(clerk, await now(optional), 'approve')
    expect((await undo(clerk, later)).statusCode).toBe(200)
  })
})
