import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration, publish } from '#server-test/factories/admissions.ts'
import { anAffiliate } from '#server-test/factories/affiliates.ts'
import { aPlace } from '#server-test/factories/applicants.ts'
import { aDraft, aPlanned, previewDraft, takeStep } from '#server-test/factories/campaigns.ts'
import { aPublishedEvent } from '#server-test/factories/events.ts'
import { aLead } from '#server-test/factories/leads.ts'
import { recipientsOf } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t.close())

test('leads are those who agreed to be contacted and have not said no since', async () => {
  const school = await t.db.selectFrom('schools').select(['id', 'name']).executeTakeFirst()
  const id = await aLead(t, {
    email: 'prospek@example.com',
    schoolId: school?.id ?? null,
    schoolName: school ? null : 'SMA Melati',
  })
  const no = await aLead(t)
  await t.db.updateTable('leads').set({ stage: 'not_interested', nextContactOn: null }).where('id', '=', no).execute()
  const planned = await aPlanned(staff, {
    ...{ audience: 'leads', purpose: 'admission', channels: ['email', 'whatsapp'] },
    ...{ bodyId: '{{school}}', bodyEn: '{{school}}' },
  })
  const sources = (await recipientsOf(t, planned.id)).map(({ sourceId }) => sourceId)
  expect(sources).toContain(id)
  expect(sources).not.toContain(no)
  expect(planned.audienceWords).toEqual([])
})

test('visitors are those of the event who agreed to be contacted', async () => {
  const event = await aPublishedEvent(t, staff)
  const visitor = (name: string, consentedAt: Date | null) => ({
    ...{
      id: crypto.randomUUID(),
      eventId: event.id,
      sessionId: event.sessions[0]!,
      name,
      nameKey: name.toLowerCase(),
    },
    ...{ language: 'en' as const, state: 'registered' as const, createdAt: t.clock.now(), consentedAt },
    phone: consentedAt && '+628120002001',
    email: consentedAt && 'ayu@example.com',
    consentText: consentedAt && 'Yes',
    code: name.startsWith('Ayu') ? '0123456789' : '9876543210',
  })
  await t.db
    .insertInto('eventVisitors')
    .values([visitor('Ayu Setuju', t.clock.now()), visitor('Bayu Tanpa Izin', null)] as never)
    .execute()
  const planned = await aPlanned(staff, {
    ...{
      audience: 'visitors',
      filters: { eventId: event.id },
      bodyId: '{{event}} {{date}}',
      bodyEn: '{{event}} {{date}}',
    },
  })
  const recipients = await recipientsOf(t, planned.id)
  expect(recipients.map(({ name }) => name)).toEqual(['Ayu Setuju'])
  expect(recipients[0]!.values).toMatchObject({
    event: event.input.nameEn,
    date: expect.stringContaining('2026, 09.00'),
  })
  expect(planned.audienceWords).toEqual([{ label: 'Event', value: event.input.nameEn }])
  const refused = await previewDraft(staff, { audience: 'visitors', filters: {} })
  expect([refused.statusCode, refused.body.includes('event')]).toEqual([422, true])
})

test('accepted applicants are found only once their result is public, even by a user who sees the decision', async () => {
  const { id, trackId } = await aRegistration(t, { status: 'decided' })
  const chosen = async (filters: Record<string, string>) => {
    const planned = await aPlanned(staff, { audience: 'registrations', filters })
    return (await recipientsOf(t, planned.id)).map(({ sourceId }) => sourceId)
  }
  expect(await chosen({ result: 'accepted' })).not.toContain(id)
  expect(await chosen({ status: 'verified' })).toContain(id)
  await publish(t, trackId)
  expect(await chosen({ result: 'accepted' })).toContain(id)
})

test('affiliates are the active ones, each with the page of their own code', async () => {
  const affiliate = await anAffiliate(t)
  const planned = await aPlanned(staff, {
    audience: 'affiliates',
    channels: ['whatsapp', 'email'],
    bodyId: '{{code}}',
    bodyEn: '{{code}}',
  })
  expect((await recipientsOf(t, planned.id)).map(({ sourceId }) => sourceId)).toContain(affiliate.id)
})

test('schools are those with contact data and an agreement valid today', async () => {
  const { cityId, provinceId } = await aPlace(t)
  const type = await t.db.selectFrom('schoolTypes').select('id').executeTakeFirstOrThrow()
  const school = await t.db
    .insertInto('schools')
    .values({ npsn: '69999901', name: 'SMA Melati', schoolTypeId: type.id, cityId } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const agreement = (number: string, change: object) =>
    staff.post('/master/sma-mou', {
      ...{ schoolId: school.id, number, title: 'Kerja sama', validFrom: '2026-01-01', validTo: '2027-12-31' },
      ...change,
    })
  await agreement('1', { contactPhone: '0812-0001-777', contactEmail: 'humas@example.com', contact: 'Ibu Rina' })
  await agreement('2', {})
  await agreement('3', { validFrom: '2020-01-01', validTo: '2021-12-31', contactEmail: 'lama@example.com' })
  const change = { audience: 'schools', purpose: 'events', bodyId: '{{school}}', bodyEn: '{{city}}' } as const
  const planned = await aPlanned(staff, { ...change, filters: { provinceId, schoolTypeId: type.id } })
  const recipients = await recipientsOf(t, planned.id)
  expect(recipients.map(({ name, phone, email, values }) => [name, phone, email, values])).toEqual([
    ['Ibu Rina', '+628120001777', 'humas@example.com', expect.objectContaining({ school: 'SMA Melati' })],
  ])
  expect(planned.audienceWords).toHaveLength(2)
  expect((await aPlanned(staff, { ...change, filters: { provinceId: crypto.randomUUID() } })).recipients).toBe(0)
})

test('each audience allows only the purposes and channels that suit it', async () => {
  for (const change of [
    { audience: 'leads', purpose: 'service' },
    { audience: 'leads', purpose: 'events', channels: ['inbox'] },
    { audience: 'registrations', purpose: 'events', ignoresQuietHours: true },
    { bodyId: '{{colour}}' },
    { audience: 'sheet', purpose: 'service' },
  ] as Partial<CampaignDraft>[])
    expect((await previewDraft(staff, change)).statusCode, JSON.stringify(change)).toBe(422)
  expect((await takeStep(await asApplicant(t), await aDraft(staff), 'plan')).statusCode).toBe(403)
})
