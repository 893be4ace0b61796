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
let colleague: TestActor
let applicant: TestActor
let id: string
/** The two required slots, each with a file. */
let first: Slot
let last: Slot

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Panitia PMB')
  colleague = await asStaff(t, 'Panitia PMB')
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
  const registration = await t.db
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
  id = registration.id
  await createDocumentSlots(t.db, id, academic.tracks.regular)
  for (const slot of (await slots()).filter(({ required }) => required)) await send(slot)
  ;[first, last] = (await slots()).filter(({ required }) => required) as [Slot, Slot]
})

const slots = async (): Promise<Slot[]> => (await clerk.get(`/pendaftaran/${id}/files`)).json().data
const currentSlot = async ({ id: same }: Slot) => (await slots()).find((slot) => slot.id === same)!
const send = (slot: Slot) =>
  applicant.upload(`/pendaftaran/${id}/files/${slot.id}`, { name: 'a.pdf', type: 'application/pdf', bytes: aPdf() })
const review = (actor: TestActor, slot: Slot, action: string, body: object = {}) =>
  actor.post(`/documents/${slot.id}/${action}`, { version: slot.version, ...body })
const undo = (actor: TestActor, { id: documentId, version }: Slot) =>
  actor.post(`/documents/${documentId}/undo`, { version })
const reviewSlot = async (actor: TestActor, slot: Slot, action: string, body: object = {}): Promise<Slot> => {
  const answer = await review(actor, slot, action, body)
  expect(answer.statusCode).toBe(200)
  return answer.json().data
}
const status = async () =>
  (await t.db.selectFrom('registrations').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const wait = (seconds: number) => t.clock.set(new Date(t.clock.now().getTime() + seconds * 1000))
const eventsTold = async () => {
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
  ])('%s is undone completely, and the applicant is not notified', async (action, body) => {
    const after = await reviewSlot(clerk, first, action, body)
    expect(after.undoSeconds).toBe(60)
    wait(59)
    expect((await currentSlot(first)).undoSeconds).toBe(1)
    const { data } = (await undo(clerk, after)).json()
    expect(data).toMatchObject({ status: 'uploaded', rejectReason: null, reviewedBy: null, undoSeconds: null })
    wait(120)
    expect(await eventsTold()).toEqual([])
    const log = await t.db.selectFrom('auditLog').select('action').where('subjectId', '=', first.id).execute()
    expect(log.map((entry) => entry.action)).toContain('document.undo')
  })

  test('a deferral is undone', async () => {
    const optional = (await slots()).find(({ required }) => !required)!
    const after = await reviewSlot(clerk, optional, 'defer', { until: '2090-01-01' })
    expect((await undo(clerk, after)).json().data).toMatchObject({ status: 'empty', deferredUntil: null })
  })

  test('undoing the approval that verified returns the registration to paid and sends no message', async () => {
    await reviewSlot(clerk, first, 'approve')
    const after = await reviewSlot(clerk, last, 'approve')
    expect(await status()).toBe('verified')
    expect((await undo(clerk, after)).json().meta.documentsState).toBe('to_review')
    expect(await status()).toBe('paid')
    wait(120)
    expect(await eventsTold()).toEqual([])
    await reviewSlot(clerk, await currentSlot(last), 'approve')
    wait(61)
    expect(await eventsTold()).toEqual(['registration-verified'])
  })

  test('undoing an approval reverts a verification by a later payment and notifies the applicant', async () => {
    await t.db.updateTable('registrations').set({ status: 'submitted' }).where('id', '=', id).execute()
    await reviewSlot(clerk, first, 'approve')
    const after = await reviewSlot(clerk, last, 'approve')
    await t.services.jobs.publish(t.db, 'bill.settled', {
      billId: crypto.randomUUID(),
      registrationId: id,
      kind: 'registration_fee',
    })
    expect(await eventsTold()).toEqual(['registration-verified'])
    expect(await status()).toBe('verified')
    await undo(clerk, after)
    expect(await status()).toBe('paid')
    expect((await eventsTold()).sort()).toEqual(['document-reopened', 'registration-verified'])
  })

  test('undoing a reopening restores the earlier review and its unsent message', async () => {
    const rejected = await reviewSlot(clerk, first, 'reject', reason)
    wait(20)
    const reopened = await reviewSlot(clerk, rejected, 'reopen', reason)
    wait(50)
    expect(await eventsTold()).toEqual([])
    expect((await undo(clerk, reopened)).json().data).toMatchObject({
      status: 'rejected',
      ...{ rejectReason: reason.reason },
    })
    expect(await eventsTold()).toEqual(['document-rejected'])
  })
})

describe('too late', () => {
  test('undo works up to the 60th second; after that the applicant is notified', async () => {
    const one = await reviewSlot(clerk, first, 'reject', reason)
    const two = await reviewSlot(clerk, last, 'reject', reason)
    wait(60)
    expect((await undo(clerk, one)).statusCode).toBe(200)
    wait(1)
    const late = await undo(clerk, two)
    expect(late.statusCode).toBe(409)
    expect(late.json()).toMatchObject({ code: 'undo_over', message: expect.stringContaining('with a reason') })
    expect(await eventsTold()).toEqual(['document-rejected'])
  })

  test('if undo and message meet, either the message is sent and undo refused, or undone and nothing sent', async () => {
    for (let round = 0; round < 5; round++) {
      const after = await reviewSlot(clerk, await currentSlot(first), 'reject', reason)
      wait(60)
      const before = (await eventsTold()).length
      const racing = await reviewSlot(clerk, await currentSlot(last), 'reject', reason)
      wait(60)
      const [undone] = await Promise.all([undo(clerk, racing), t.runJobs()])
      expect((await eventsTold()).length - before).toBe(undone.statusCode === 200 ? 0 : 1)
      for (const slot of [after, racing]) {
        const current = await currentSlot(slot)
        if (current.status === 'rejected') await reviewSlot(clerk, current, 'reopen', reason)
      }
      wait(120)
      await t.runJobs()
    }
  })

  test('undoing twice gets 409 undo_done', async () => {
    const after = await reviewSlot(clerk, first, 'approve')
    const both = await Promise.all([undo(clerk, after), undo(clerk, after)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(both.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('undo_done')
    expect(await currentSlot(first)).toMatchObject({ status: 'uploaded', version: after.version + 1 })
  })

  test('a colleague cannot undo a review; of undo and reopening at once, one succeeds', async () => {
    const after = await reviewSlot(clerk, first, 'approve')
    expect((await undo(colleague, after)).json().code).toBe('undo_of_another')
    const [undone, reopened] = await Promise.all([undo(clerk, after), review(colleague, after, 'reopen', reason)])
    expect([undone.statusCode, reopened.statusCode].sort()).toEqual([200, 409])
    expect((await currentSlot(first)).version).toBe(after.version + 1)
  })

  test('once the applicant sends a new file, the rejection is neither undone nor notified', async () => {
    const after = await reviewSlot(clerk, first, 'reject', reason)
    await send(first)
    expect((await undo(clerk, after)).json().code).toBe('document_replaced')
    expect(await currentSlot(first)).toMatchObject({ status: 'uploaded', undoSeconds: null })
    wait(120)
    expect(await eventsTold()).toEqual([])
  })

  test('a clerk of other programmes gets 404; a clerk without permission to verify gets 403', async () => {
    const after = await reviewSlot(clerk, first, 'approve')
    const slugs = ['pendaftaran-view', 'pendaftaran-verify']
    const otherClerk = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[1]] })
    expect((await undo(otherClerk, after)).statusCode).toBe(404)
    expect((await undo(await asWithPermissions(t, ['pendaftaran-view']), after)).statusCode).toBe(403)
  })
})

describe('reopening later', () => {
  test('a reopened rejection waits for review again, and the applicant is notified', async () => {
    await reviewSlot(clerk, first, 'reject', reason)
    wait(3600)
    expect(await eventsTold()).toEqual(['document-rejected'])
    const after = await reviewSlot(colleague, await currentSlot(first), 'reopen', reason)
    expect(after).toMatchObject({ status: 'uploaded', rejectReason: null })
    wait(61)
    expect((await eventsTold()).sort()).toEqual(['document-rejected', 'document-reopened'])
  })

  test('reopening undoes a verification that relied on the document, and no other', async () => {
    for (const slot of [first, last]) await reviewSlot(clerk, slot, 'approve')
    const requestedDocument = (await clerk.post(`/pendaftaran/${id}/files`, { name: 'Surat pindah' })).json().data
    wait(3600)
    const waived = await reviewSlot(clerk, requestedDocument, 'waive')
    await reviewSlot(clerk, waived, 'reopen', reason)
    expect(await status()).toBe('verified')
    await reviewSlot(clerk, await currentSlot(first), 'reopen', reason)
    expect(await status()).toBe('paid')
  })

  test('reopening and undoing are refused after the decision, unless the review came later', async () => {
    await reviewSlot(clerk, first, 'approve')
    const after = await reviewSlot(clerk, last, 'approve')
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
        message: expect.stringContaining('Take that decision back'),
      })
    }
    wait(10)
    const optional = (await slots()).find(({ required }) => !required)!
    await send(optional)
    const later = await reviewSlot(clerk, await currentSlot(optional), 'approve')
    expect((await undo(clerk, later)).statusCode).toBe(200)
  })
})
