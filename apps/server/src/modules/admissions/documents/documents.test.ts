import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPdf, aPicture } from '#server-test/factories/applicants.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { createDocumentSlots } from './document-slots.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t.close())

type Slot = {
  id: string
  name: string
  status: string
  required: boolean
  version: number
  rejectReason: string | null
}
type Registered = { actor: TestActor; id: string }

let count = 0
async function aRegistration(status = 'paid', programmeId = academic.programmes[0]): Promise<Registered> {
  const actor = await asApplicant(t, { profile: true })
  const { id: applicantId } = await t.db
    .selectFrom('applicants')
    .select('id')
    .where('accountId', '=', actor.accountId)
    .executeTakeFirstOrThrow()
  const { id } = await t.db
    .insertInto('registrations')
    .values({
      code: `DOK${String(++count).padStart(5, '0')}`,
      applicantId,
      accountId: actor.accountId,
      waveId: academic.wave,
      trackId: academic.tracks.regular,
      entryLevelId: academic.entryLevel,
      classProgrammeId: academic.classProgramme,
      programmeId,
      status: status as never,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await createDocumentSlots(t.db, id, academic.tracks.regular)
  return { actor, id }
}

const slotsOf = async (reader: TestActor, id: string): Promise<Slot[]> =>
  (await reader.get(`/pendaftaran/${id}/files`)).json().data
const protectedPdf = (passwords: { ownerPassword?: string; userPassword?: string }) => {
  const doc = new PDFDocument({ pdfVersion: '1.7', ...passwords })
  doc.text('Ijazah').end()
  return buffer(doc)
}
const pdf = () => ({ name: 'ijazah.pdf', type: 'application/pdf', bytes: aPdf() })
const send = (actor: TestActor, id: string, slot: Slot, file = pdf()) =>
  actor.upload(`/pendaftaran/${id}/files/${slot.id}`, file)
const review = (actor: TestActor, slot: Slot, action: string, body: object = {}) =>
  actor.post(`/documents/${slot.id}/${action}`, { version: slot.version, ...body })
const stateOf = (id: string) =>
  t.db.selectFrom('registrations').select(['status', 'documentsState']).where('id', '=', id).executeTakeFirstOrThrow()
const messagesTo = async (accountId: string) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', accountId)
      .where('channel', '=', 'inbox')
      .orderBy('createdAt')
      .execute()
  ).map(({ event }) => event)
const auditOf = async (documentId: string) =>
  (await t.db.selectFrom('auditLog').select('action').where('subjectId', '=', documentId).orderBy('id').execute()).map(
    ({ action }) => action,
  )

/** Lets the minute for undoing pass, then runs the jobs due by then. */
async function afterTheMinute() {
  t.clock.set(new Date(t.clock.now().getTime() + 61_000))
  await t.runJobs()
}

/** Uploads a file to every required slot. */
async function allSent({ actor, id }: Registered) {
  for (const slot of (await slotsOf(actor, id)).filter(({ required }) => required))
    expect((await send(actor, id, slot)).statusCode).toBe(200)
  return (await slotsOf(actor, id)).filter(({ required }) => required)
}

describe('slots', () => {
  test('come from the track and are empty at first', async () => {
    const { actor, id } = await aRegistration('draft')
    const slots = await slotsOf(actor, id)
    expect(slots.map(({ name, status }) => [name, status])).toEqual([
      ['Ijazah atau SKL', 'empty'],
      ['Kartu keluarga', 'empty'],
      ['Akta kelahiran', 'empty'],
    ])
    expect((await stateOf(id)).documentsState).toBe('missing')
  })

  test('of a new track replace empty slots; uploaded files stay', async () => {
    const registered = await aRegistration('draft')
    const { actor, id } = registered
    const [first] = await slotsOf(actor, id)
    await send(actor, id, first!)
    await createDocumentSlots(t.db, id, academic.tracks.achievement)
    await createDocumentSlots(t.db, id, academic.tracks.achievement)
    const slots = await slotsOf(actor, id)
    expect(slots.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'Ijazah atau SKL empty',
      'Ijazah atau SKL uploaded',
      'Sertifikat prestasi empty',
    ])
  })
})

describe('sending', () => {
  let registered: Registered
  let slot: Slot
  beforeEach(async () => {
    registered = await aRegistration()
    slot = (await slotsOf(registered.actor, registered.id))[0]!
  })
  const refusal = async (file: ReturnType<typeof pdf>) => {
    const answer = await send(registered.actor, registered.id, slot, file)
    expect(answer.statusCode).toBe(422)
    expect(await slotsOf(registered.actor, registered.id)).toMatchObject([{ status: 'empty' }, {}, {}])
    return answer.json().errors.file
  }

  test('a PDF and a photo are accepted; the photo is re-encoded and shown with a signed URL', async () => {
    expect((await send(registered.actor, registered.id, slot)).json().data).toMatchObject({
      status: 'uploaded',
      file: { url: null },
    })
    const photo = { name: 'foto.png', type: 'image/png', bytes: await aPicture('png') }
    const { data, meta } = (await send(registered.actor, registered.id, slot, photo)).json()
    expect(data.file).toMatchObject({ mime: 'image/jpeg', isImage: true })
    expect(meta.documentsState).toBe('to_review')
    expect((await t.app.inject({ url: data.file.url })).statusCode).toBe(200)
    expect(await auditOf(slot.id)).toEqual(['document.upload', 'document.upload'])
  })

  test('a file named .pdf that is no PDF is refused', async () => {
    expect(
      await refusal({ name: 'a.pdf', type: 'application/pdf', bytes: Buffer.from('not a pdf at all') }),
    ).toHaveLength(1)
  })
  test('a PDF that only restricts printing is accepted: it opens without a password', async () => {
    const bytes = await protectedPdf({ ownerPassword: 'kementerian' })
    const answer = await send(registered.actor, registered.id, slot, { ...pdf(), bytes })
    expect(answer.json().data).toMatchObject({ status: 'uploaded' })
  })
  test('a truncated PDF is refused', async () => {
    await refusal({ name: 'a.pdf', type: 'application/pdf', bytes: aPdf().subarray(0, 60) })
  })
  test('a PDF that declares encryption is refused', async () => {
    const bytes = Buffer.from(aPdf().toString('latin1').replace('/Root', '/Encrypt 9 0 R/Root'), 'latin1')
    expect(await refusal({ name: 'a.pdf', type: 'application/pdf', bytes })).toEqual([
      'This PDF is protected with a password. Please save it without one and send it again.',
    ])
  })
  test('a PDF that needs a password is refused', async () => {
    const bytes = await protectedPdf({ userPassword: 'rahasia' })
    expect(await refusal({ name: 'a.pdf', type: 'application/pdf', bytes })).toEqual([
      'This PDF is protected with a password. Please save it without one and send it again.',
    ])
  })
  test('a program renamed to .jpg is refused', async () => {
    const bytes = Buffer.concat([Buffer.from('MZ\x90\x00\x03'), Buffer.alloc(4000)])
    expect(await refusal({ name: 'foto.jpg', type: 'image/jpeg', bytes })).toEqual([
      'This kind of file is not accepted here. Please send PDF, JPG, PNG.',
    ])
  })
  test('a file type the slot does not accept is refused', async () => {
    await refusal({ name: 'a.webp', type: 'image/webp', bytes: await aPicture('webp') })
  })
  test('a file larger than the slot allows is refused', async () => {
    const bytes = Buffer.concat([aPdf(), Buffer.alloc(5 * 1_048_576)])
    expect(await refusal({ name: 'a.pdf', type: 'application/pdf', bytes })).toEqual([
      'This file is larger than 5 MB. Please choose a smaller one.',
    ])
  })
  test('an empty file is refused', async () => {
    await refusal({ name: 'a.pdf', type: 'application/pdf', bytes: Buffer.alloc(0) })
  })

  test('replacing an approved document or uploading to a closed registration is refused', async () => {
    const { actor, id } = registered
    await send(actor, id, slot)
    slot = (await slotsOf(actor, id))[0]!
    await review(clerk, slot, 'approve')
    expect((await send(actor, id, slot)).json().code).toBe('document_approved')
    await t.db.updateTable('registrations').set({ status: 'withdrawn' }).where('id', '=', id).execute()
    expect((await send(actor, id, (await slotsOf(actor, id))[1]!)).json().code).toBe('document_closed')
  })
})

describe("another applicant's documents", () => {
  test('get 404 on every route', async () => {
    const owner = await aRegistration()
    const [slot] = await allSent(owner)
    const stranger = await aRegistration()
    const { actor } = stranger
    const statuses = [
      await actor.get(`/pendaftaran/${owner.id}/files`),
      await send(actor, owner.id, slot!),
      await send(actor, stranger.id, slot!),
      await actor.post(`/documents/${slot!.id}/view`),
      await actor.get(`/documents/${slot!.id}/content`),
      await actor.get(`/documents/${slot!.id}/template`),
    ].map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404])
    expect((await review(actor, slot!, 'approve')).statusCode).toBe(403)
    expect((await actor.post(`/pendaftaran/${owner.id}/files`, { name: 'Surat' })).statusCode).toBe(403)
    const listed = (await actor.get('/account/files')).json().data
    expect(listed.map(({ registrationId }: { registrationId: string }) => registrationId)).toEqual([stranger.id])
  })

  test('get 404 for a clerk of other study programmes', async () => {
    const registered = await aRegistration('paid', academic.programmes[1])
    const [slot] = await allSent(registered)
    const slugs = ['pendaftaran-view', 'pendaftaran-verify']
    const otherClerk = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[0]] })
    expect((await otherClerk.get(`/pendaftaran/${registered.id}/files`)).statusCode).toBe(404)
    expect((await review(otherClerk, slot!, 'approve')).statusCode).toBe(404)
    expect((await otherClerk.get(`/documents/${slot!.id}/content`)).statusCode).toBe(404)
    const reachingClerk = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[1]] })
    expect((await review(reachingClerk, slot!, 'approve')).statusCode).toBe(200)
  })
})

describe('review', () => {
  test('the last approval verifies a paid registration and notifies the applicant', async () => {
    const registered = await aRegistration()
    const isSettledInList = async () =>
      (await clerk.get('/pendaftaran?per_page=100')).json().data.find(({ id }: { id: string }) => id === registered.id)
        .documentsSettled
    const [first, second] = await allSent(registered)
    expect((await review(clerk, first!, 'approve')).json().meta.documentsState).toBe('to_review')
    expect(await isSettledInList()).toBe(false)
    expect((await stateOf(registered.id)).status).toBe('paid')
    expect((await review(clerk, second!, 'approve')).json().meta.documentsState).toBe('complete')
    expect(await stateOf(registered.id)).toEqual({ status: 'verified', documentsState: 'complete' })
    expect(await isSettledInList()).toBe(true)
    expect(await messagesTo(registered.actor.accountId)).toEqual([])
    await afterTheMinute()
    expect(await messagesTo(registered.actor.accountId)).toEqual(['registration-verified'])
  })

  test('an approval before the payment does not verify', async () => {
    const registered = await aRegistration('submitted')
    for (const slot of await allSent(registered)) await review(clerk, slot, 'approve')
    expect(await stateOf(registered.id)).toEqual({ status: 'submitted', documentsState: 'complete' })
  })

  test('a second clerk reviewing a document at once gets 409 with the new status', async () => {
    const registered = await aRegistration()
    const [slot] = await allSent(registered)
    const answers = await Promise.all([
      review(clerk, slot!, 'approve'),
      review(await asStaff(t, 'Panitia PMB'), slot!, 'reject', { reason: 'Kurang jelas' }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const refusal = answers.find(({ statusCode }) => statusCode === 409)!.json()
    expect(refusal.code).toBe('document_decided')
    expect(refusal.message).toMatch(/Approved|Rejected/)
    expect((await auditOf(slot!.id)).filter((action) => /approve|reject/.test(action))).toHaveLength(1)
  })

  test('two clerks approving the last two documents at once verify once and notify once', async () => {
    for (let round = 0; round < 5; round++) {
      const registered = await aRegistration()
      const slots = await allSent(registered)
      const answers = await Promise.all(slots.map((slot) => review(clerk, slot, 'approve')))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      expect((await stateOf(registered.id)).status).toBe('verified')
      await afterTheMinute()
      expect(await messagesTo(registered.actor.accountId)).toEqual(['registration-verified'])
    }
  })

  test('reviewing a file that was replaced meanwhile is refused', async () => {
    const registered = await aRegistration()
    const [slot] = await allSent(registered)
    await send(registered.actor, registered.id, slot!)
    expect((await review(clerk, slot!, 'approve')).json().code).toBe('document_replaced')
  })

  test('a rejection is notified with its reason; a new file can be approved', async () => {
    const registered = await aRegistration()
    const { actor, id } = registered
    const [slot] = await allSent(registered)
    expect((await review(clerk, slot!, 'reject')).statusCode).toBe(422)
    const rejected = (await review(clerk, slot!, 'reject', { reason: 'Gambar buram.' })).json().data
    expect(rejected).toMatchObject({ status: 'rejected', rejectReason: 'Gambar buram.' })
    await afterTheMinute()
    expect(await messagesTo(actor.accountId)).toEqual(['document-rejected'])
    const { registrations } = (await actor.get('/dashboard')).json().data
    expect(registrations[0].nextStep).toMatchObject({
      key: 'files',
      params: { document: slot!.name, reason: 'Gambar buram.' },
    })
    const { link } = await t.db
      .selectFrom('messages')
      .select('link')
      .where('accountId', '=', actor.accountId)
      .executeTakeFirstOrThrow()
    expect(link).toMatch(new RegExp(`/pendaftaran/${id}/file\\?`))
    expect((await send(actor, id, rejected)).json().data).toMatchObject({ status: 'uploaded', rejectReason: null })
    const again = (await slotsOf(actor, id)).find(({ id: same }) => same === slot!.id)!
    expect((await review(clerk, again, 'approve')).statusCode).toBe(200)
  })

  test("a predefined reason is sent in the applicant's language, not the reviewer's", async () => {
    const { actor, id } = await aRegistration()
    await t.db.updateTable('accounts').set({ language: 'id' }).where('id', '=', actor.accountId).execute()
    const [slot] = await slotsOf(actor, id)
    const sent = (await send(actor, id, slot!)).json().data
    expect((await review(clerk, sent, 'reject', { reason: 'blurred' })).json().data.rejectReason).toBe('blurred')
    await afterTheMinute()
    const messages = await t.db.selectFrom('messages').select('body').where('accountId', '=', actor.accountId).execute()
    expect(messages.length).toBeGreaterThan(1)
    for (const { body } of messages) expect(body).toContain('Gambar buram atau terlalu gelap.')
    const { reason } = await t.db
      .selectFrom('auditLog')
      .select('reason')
      .where('subjectId', '=', slot!.id)
      .where('action', '=', 'document.reject')
      .executeTakeFirstOrThrow()
    expect(reason).toContain('The picture is blurred')
  })

  test('a deferrable document is deferred to a future day; others are not deferred', async () => {
    const { actor, id } = await aRegistration()
    const [required, , optional] = await slotsOf(actor, id)
    expect((await review(clerk, required!, 'defer', { until: '2090-01-01' })).json().code).toBe(
      'document_not_deferrable',
    )
    expect((await review(clerk, optional!, 'defer', { until: '2020-01-01' })).statusCode).toBe(422)
    const deferred = (await review(clerk, optional!, 'defer', { until: '2090-01-01' })).json().data
    expect(deferred).toMatchObject({ status: 'deferred', deferredUntil: '2090-01-01' })
    expect((await send(actor, id, deferred)).json().data).toMatchObject({ status: 'uploaded', deferredUntil: null })
  })

  test('waived documents count as settled; reopening one undoes the verification', async () => {
    const registered = await aRegistration()
    const [first, second] = await slotsOf(registered.actor, registered.id)
    const waived = (await review(clerk, first!, 'waive')).json().data
    const reopened = (await review(clerk, waived, 'reopen', { reason: 'Keliru' })).json().data
    expect(reopened.status).toBe('empty')
    await review(clerk, reopened, 'waive')
    const last = (await review(clerk, second!, 'waive')).json().data
    expect((await stateOf(registered.id)).status).toBe('verified')
    expect((await review(clerk, last, 'reopen', { reason: 'Keliru' })).statusCode).toBe(200)
    expect((await stateOf(registered.id)).status).toBe('paid')
  })

  test('a requested document has a due date, notifies the applicant, and blocks verification if required', async () => {
    const registered = await aRegistration()
    for (const slot of await slotsOf(registered.actor, registered.id)) await review(clerk, slot, 'waive')
    const otherRegistration = await aRegistration()
    const requestedDocument = (
      await clerk.post(`/pendaftaran/${otherRegistration.id}/files`, { name: 'Surat pindah' })
    ).json().data
    expect(requestedDocument).toMatchObject({ requested: true, required: true, status: 'empty' })
    expect(requestedDocument.dueOn).not.toBeNull()
    expect(await messagesTo(otherRegistration.actor.accountId)).toEqual(['document-requested'])
    for (const slot of await slotsOf(otherRegistration.actor, otherRegistration.id))
      if (slot.id !== requestedDocument.id) await review(clerk, slot, 'waive')
    expect(await stateOf(otherRegistration.id)).toEqual({ status: 'paid', documentsState: 'missing' })
    expect(
      (await clerk.post(`/pendaftaran/${otherRegistration.id}/files`, { name: 'X2', dueOn: '2020-01-01' })).statusCode,
    ).toBe(422)
  })
})

describe('reading', () => {
  test('is recorded for staff, not for the owner; a PDF is always a download', async () => {
    const registered = await aRegistration()
    const [first, second] = await slotsOf(registered.actor, registered.id)
    await send(registered.actor, registered.id, first!)
    await send(registered.actor, registered.id, second!, {
      name: 'kk.jpg',
      type: 'image/jpeg',
      bytes: await aPicture(),
    })
    const listed = (await clerk.get(`/pendaftaran/${registered.id}/files`)).json().data
    expect(listed[1].file).toMatchObject({ isImage: true, url: null, thumbnailUrl: null })

    const content = await clerk.get(`/documents/${first!.id}/content`)
    expect(content.headers['content-disposition']).toMatch(/^attachment/)
    expect(content.headers['content-security-policy']).toContain('sandbox')
    const { url } = (await clerk.post(`/documents/${second!.id}/view`)).json().data
    expect((await t.app.inject({ url })).statusCode).toBe(200)
    await registered.actor.get(`/documents/${first!.id}/content`)
    expect(await auditOf(first!.id)).toEqual(['document.upload', 'document.download'])
    expect(await auditOf(second!.id)).toEqual(['document.upload', 'document.view'])
  })
})
