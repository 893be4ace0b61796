import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  fillPlaceholders,
  messagePlaceholders,
  sampleValues,
  singleBraced,
  unknownPlaceholder,
} from '#domain/messaging/placeholders.ts'
import { type MessageEvent, messageEvents } from '#entities/messaging/message-events.ts'
import { messages as english } from '#locales/en/messages.ts'
import { messages as indonesian } from '#locales/id/messages.ts'
import { seedMessagePlaceholders } from '#seeds/message-placeholders.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { notify, sendMail } from './notify.ts'
import { fillMessage } from './render-message.ts'

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  admin = await asStaff(t)
})
afterAll(() => t.close())
beforeEach(() => t.db.deleteFrom('messageTemplates').execute())

const template = (changes: object = {}) => ({
  event: 'student-number-issued',
  channel: 'inbox',
  providerTemplate: null,
  subjectEn: 'Number {{number}}',
  bodyEn: 'Dear {{ name }}, you are {{number}} at {{university}}.',
  subjectId: null,
  bodyId: 'Halo {{name}}, NPM Anda {{number}}.',
  ...changes,
})
const save = (changes: object = {}) => admin.post('/master/notifikasi-whatsapp', template(changes))
const issued = (person: TestActor) =>
  inTransaction(t.services, systemActor, (context) =>
    notify(context, {
      accountId: person.accountId,
      event: 'student-number-issued',
      params: { number: '26552010001', programme: 'Informatika' },
    }),
  )
const inbox = async (person: TestActor) => (await person.get('/messages')).json().data[0]

describe('the list of events', () => {
  test('contains every built-in sentence and allows all of its placeholders', () => {
    const events = Object.keys(english).filter((key) => typeof english[key as MessageEvent] === 'object')
    expect(Object.keys(messageEvents).sort()).toEqual(events.sort())
    for (const event of events as MessageEvent[])
      for (const { subject, body } of [english[event], indonesian[event]])
        for (const text of [subject, body]) expect(unknownPlaceholder(event, text), event).toBeUndefined()
  })

  test('is copied from the code to the database at every start', async () => {
    await t.db.insertInto('messagePlaceholders').values({ event: 'note', name: 'gone' }).execute()
    await t.db.deleteFrom('messagePlaceholders').where('event', '=', 'bill-issued').execute()
    await seedMessagePlaceholders(t.db)
    const rows = await t.db
      .selectFrom('messagePlaceholders')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(rows.n).toBe(Object.values(messagePlaceholders).flat().length)
  })

  test('every placeholder has an example', () => {
    const known = sampleValues('id')
    for (const name of Object.values(messagePlaceholders).flat()) expect(known[name]).toBeTruthy()
  })
})

test('a name in single braces is reported, because it would be sent unchanged', () => {
  const texts = ['Yth. {Nama},', '{{Nama}} { nomor peserta }', '{{Nama}}', 'set {1, 2} dan {}', '{{Nama']
  expect(texts.map(singleBraced)).toEqual(['{Nama}', '{ nomor peserta }', undefined, undefined, undefined])
})

describe('placeholders are checked when a template is saved', () => {
  test.each([
    ['a name the event does not know', { bodyEn: 'Pay {{amount}}' }, 'bodyEn', '{{amount}}'],
    ['a misspelt one', { bodyId: 'NPM {{nomor}}' }, 'bodyId', '{{nomor}}'],
    ['one in the subject', { subjectEn: '{{code}}' }, 'subjectEn', '{{code}}'],
    ['a brace that is not closed', { bodyEn: 'Dear {{name' }, 'bodyEn', '{{'],
    ['a brace that is not opened', { bodyId: 'Halo name}}' }, 'bodyId', '}}'],
    ['nothing between the braces', { bodyEn: 'Dear {{}}' }, 'bodyEn', '{{}}'],
  ])('%s', async (_what, changes, field, part) => {
    const answer = await save(changes)
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual([field])
    expect(answer.json().errors[field][0]).toContain(part)
  })

  test('are also checked if only the event changes, and by the database', async () => {
    const { data } = (await save()).json()
    const { id, version } = data
    const moved = await admin.put(`/master/notifikasi-whatsapp/${id}`, {
      ...template({ event: 'account-welcome', subjectEn: null }),
      version,
    })
    expect(moved.statusCode).toBe(422)
    expect(moved.json().errors.bodyEn[0]).toContain('{{number}}')
    await expect(
      sql`UPDATE message_templates SET body_en = 'x {{amount}} {{code}}' WHERE id = ${id}`.execute(t.db),
    ).rejects.toMatchObject({ constraint: 'message_templates_body_en_placeholders' })
  })

  test('an event and channel have only one template', async () => {
    expect((await save()).statusCode).toBe(201)
    const twice = await save()
    expect(twice.statusCode).toBe(422)
    expect(twice.json().errors.event).toHaveLength(1)
    expect((await save({ channel: 'email' })).statusCode).toBe(201)
  })
})

describe('a message', () => {
  test('has one full stop after a reason, whether it was typed or not', () => {
    const bodyOf = (reason: string) =>
      fillMessage({ event: 'student-number-withdrawn', language: 'id', params: { number: '27', reason } }, '').body
    expect(bodyOf('Salah orang')).toContain('Alasan: Salah orang. Kursi Anda')
    expect(bodyOf('Salah orang.')).toBe(bodyOf('Salah orang'))
  })

  test("uses the active template in its receiver's language", async () => {
    await save()
    const [ann, budi] = [
      await asApplicant(t, { language: 'en', name: 'Ann' }),
      await asApplicant(t, { language: 'id', name: 'Budi' }),
    ]
    await issued(ann)
    await issued(budi)
    const { universityName } = (await admin.get('/settings/general')).json().data.values
    expect(await inbox(ann)).toMatchObject({
      subject: 'Number 26552010001',
      body: `Dear Ann, you are 26552010001 at ${universityName}.`,
    })
    // The template has no subject, so the built-in one is used.
    expect(await inbox(budi)).toMatchObject({
      subject: 'NPM Anda adalah 26552010001',
      body: 'Halo Budi, NPM Anda 26552010001.',
    })
  })

  test('for another channel or with an inactive template uses the built-in text', async () => {
    const { id, version } = (await save({ channel: 'email' })).json().data
    const ann = await asApplicant(t, { language: 'en' })
    await issued(ann)
    expect((await inbox(ann)).subject).toBe('Your student number is 26552010001')
    const mails = () =>
      t.db
        .selectFrom('messages')
        .select('subject')
        .where('toAddress', '=', ann.email)
        .orderBy('createdAt', 'desc')
        .execute()
    expect((await mails())[0]!.subject).toBe('Number 26552010001')
    await admin.put(`/master/notifikasi-whatsapp/${id}/active`, { active: false, version })
    await issued(ann)
    expect((await mails())[0]!.subject).toBe('Your student number is 26552010001')
  })

  test('with an unknown placeholder in its template uses the built-in text', async () => {
    await save({ event: 'account-welcome', subjectEn: null, bodyEn: 'Dear {{name}}', channel: 'email' })
    await inTransaction(t.services, systemActor, (context) =>
      sendMail(context, { to: 'no-name@example.com', language: 'en', event: 'account-welcome' }),
    )
    const { body } = await t.db
      .selectFrom('messages')
      .select('body')
      .where('toAddress', '=', 'no-name@example.com')
      .executeTakeFirstOrThrow()
    expect(body).toContain('Your e-mail address is confirmed')
  })

  test('keeps a value that looks like a placeholder unchanged', () => {
    expect(fillPlaceholders('Hello {{name}}', { name: 'Sari $& $1' })).toBe('Hello Sari $& $1')
    expect(fillPlaceholders('Hello {{name}}', {})).toBeUndefined()
    expect(fillPlaceholders('Hello {{name}}', { name: 'A}} {{name}}' })).toBe('Hello A}} {{name}}')
    expect(fillPlaceholders('Hello {{ {{name}}', { name: 'Sari' })).toBeUndefined()
    expect(fillPlaceholders('Hello {{constructor}}', {})).toBeUndefined()
  })

  test('of a real step has a value for each placeholder of its event', async () => {
    for (const channel of ['inbox', 'email'])
      await save({
        channel,
        event: 'registration-submitted',
        subjectEn: 'S {{code}}',
        bodyEn: 'T {{name}} {{university}} {{code}} {{amount}} {{due}}',
        bodyId: 'T {{name}} {{university}} {{code}} {{amount}} {{due}}',
      })
    const applicant = await asApplicant(t, { profile: true, language: 'en' })
    const { code } = await aRegistration(t, { status: 'submitted', applicant })
    const message = (await applicant.get('/messages'))
      .json()
      .data.find((one: { event: string }) => one.event === 'registration-submitted')
    expect(message.subject).toBe(`S ${code}`)
    expect(message.body).toMatch(/^T .+ Rp\u00a0/)
  })
})

describe('a test to oneself', () => {
  const body = {
    event: 'bill-issued',
    channel: 'email',
    language: 'en',
    subject: null,
    body: 'Pay {{amount}} by {{due}}, {{name}}',
  }

  test('arrives with example values by mail and in the inbox, and is in the audit log', async () => {
    const staff = await asWithPermissions(t, ['master-notifikasi-whatsapp-update'], {}, { name: 'Rini' })
    const answer = await staff.post('/messages/test', body)
    expect(answer.json().data.to).toBe(staff.email)
    await t.runJobs()
    const [mail] = (await t.app.inject(`/api/outbox?to=${encodeURIComponent(staff.email)}`)).json().data
    expect(mail).toMatchObject({ status: 'sent', subject: 'New bill INV-2026-000042' })
    expect(mail.body).toContain('Pay Rp\u00a0250.000')
    expect(mail.body).toContain('Rini')
    await staff.post('/messages/test', { ...body, channel: 'inbox', subject: 'Mine' })
    expect((await inbox(staff)).subject).toBe('Mine')
    const entry = await t.db
      .selectFrom('auditLog')
      .select('after')
      .where('action', '=', 'message.test')
      .where('actorId', '=', staff.accountId)
      .execute()
    expect(entry).toHaveLength(2)
  })

  test('is refused for an unknown placeholder, without a phone for WhatsApp, and without the permission', async () => {
    const wrong = await admin.post('/messages/test', { ...body, body: '{{code}}' })
    expect(wrong.json().errors.bodyEn[0]).toContain('{{code}}')
    await t.db.updateTable('accounts').set({ phone: null }).where('id', '=', admin.accountId).execute()
    expect((await admin.post('/messages/test', { ...body, channel: 'whatsapp' })).json().code).toBe('no_phone')
    expect((await (await asApplicant(t)).post('/messages/test', body)).statusCode).toBe(403)
  })
})
