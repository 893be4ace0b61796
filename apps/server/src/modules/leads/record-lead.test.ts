import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { type RecordedLead, recordLead } from './record-lead.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

let numbers = 0
const aPhone = () => `+62812${String(30_000_000 + ++numbers)}`
const inputOf = (change: Partial<RecordedLead> = {}): RecordedLead => ({
  name: 'Siti Nur’aini',
  phone: aPhone(),
  email: null,
  birthDate: null,
  schoolId: null,
  schoolName: 'SMAN 1 Contoh',
  major: 'IPA',
  programmeId: null,
  wish: null,
  origin: { kind: 'event', eventId: crypto.randomUUID() },
  consent: { text: 'Saya bersedia dihubungi.', language: 'id', at: t.clock.now() },
  now: t.clock.now(),
  ...change,
})
const record = (change: Partial<RecordedLead> = {}) =>
  t.db.transaction().execute((trx) => recordLead(trx, inputOf(change)))
const leadOf = (id: string) => t.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const originsOf = (leadId: string) => t.db.selectFrom('leadOrigins').selectAll().where('leadId', '=', leadId).execute()

describe('a person who agrees to be contacted', () => {
  test('becomes a lead with the consent text and its time', async () => {
    const { leadId, isNew } = await record({ name: '  Siti   Nur’aini ', email: 'Siti@Example.com' })
    expect(isNew).toBe(true)
    expect(await leadOf(leadId)).toMatchObject({
      name: 'Siti Nur’aini',
      nameKey: 'siti nuraini',
      email: 'siti@example.com',
      stage: 'new',
    })
    expect(await originsOf(leadId)).toMatchObject([
      { kind: 'event', consentText: 'Saya bersedia dihubungi.', consentLanguage: 'id' },
    ])
  })

  test('and returns with the same phone, typed differently, is the same lead with two origins and fewer gaps', async () => {
    const phone = '+6281299990001'
    const first = await record({ phone, major: null })
    const second = await record({ phone: '0812-9999-0001', name: 'Siti N', wish: 'Kelas malam' })
    expect(second).toEqual({ leadId: first.leadId, isNew: false })
    expect(await leadOf(first.leadId)).toMatchObject({
      name: 'Siti Nur’aini',
      major: 'IPA',
      wish: 'Kelas malam',
      phone,
    })
    expect((await originsOf(first.leadId)).map((origin) => (origin.given as { name: string }).name)).toEqual([
      'Siti Nur’aini',
      'Siti N',
    ])
  })

  test('and returns with another phone is recognised by name and birth date, and then by both phones', async () => {
    const birthDate = '2008-05-17'
    const first = await record({ name: 'Dewi Ayú Lestari', birthDate })
    const phone = aPhone()
    expect((await record({ name: 'DEWI  AYU LESTARI', birthDate, phone })).leadId).toBe(first.leadId)
    expect((await record({ name: 'Ibu Dewi', phone })).leadId).toBe(first.leadId)
    expect((await record({ name: 'Dewi Ayu Lestari', birthDate: '2008-05-18' })).isNew).toBe(true)
    expect((await record({ name: 'Dewi Ayu Lestari' })).isNew).toBe(true)
  })

  test('and gives the phone of one lead with the name and birth date of another makes both suspected duplicates', async () => {
    const [phone, birthDate] = [aPhone(), '2007-11-30']
    const mother = await record({ phone, name: 'Bu Ratna' })
    const child = await record({ name: 'Ratna Sari', birthDate, phone: null })
    expect((await record({ phone, name: 'Ratna Sari', birthDate })).leadId).toBe(mother.leadId)
    const pairs = await t.db
      .selectFrom('leadPairs')
      .select(['leadId', 'otherId', 'state'])
      .where((eb) => eb.or([eb('leadId', '=', child.leadId), eb('otherId', '=', child.leadId)]))
      .execute()
    const [leadId, otherId] = [mother.leadId, child.leadId].sort()
    expect(pairs).toEqual([{ leadId, otherId, state: 'suspected' }])
  })

  test('and whose answer or visit arrives twice is recorded once', async () => {
    const visit = inputOf()
    const answer = inputOf({ origin: { kind: 'survey', surveyResponseId: crypto.randomUUID() } })
    for (const lead of [visit, answer]) {
      const ids = new Set<string>()
      for (let times = 0; times < 3; times++)
        ids.add((await t.db.transaction().execute((trx) => recordLead(trx, lead))).leadId)
      expect(ids.size).toBe(1)
      expect(await originsOf([...ids][0]!)).toHaveLength(1)
    }
    // An answer stays with its lead, even when sent again with another phone.
    expect((await record({ ...answer, phone: aPhone() })).isNew).toBe(false)
  })

  test('at twenty event stands at once is one lead with twenty origins', async () => {
    const phone = aPhone()
    const answers = await raceBehind(t, sql`LOCK TABLE lead_keys IN ACCESS EXCLUSIVE MODE`, 5, () =>
      Promise.all(Array.from({ length: 20 }, () => record({ phone, birthDate: '2008-01-02', name: 'Rudi Hartono' }))),
    )
    expect(new Set(answers.map(({ leadId }) => leadId)).size).toBe(1)
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(await originsOf(answers[0]!.leadId)).toHaveLength(20)
  })

  test('after declining is new again only by agreeing later, not by an import or an older consent', async () => {
    const phone = aPhone()
    const { leadId } = await record({ phone })
    const no = new Date(t.clock.now().getTime() + 60_000)
    const later = new Date(no.getTime() + 60_000)
    await t.db.updateTable('leads').set({ stage: 'not_interested' }).where('id', '=', leadId).execute()
    await t.db.insertInto('leadNotes').values({ leadId, kind: 'stage', stage: 'not_interested', at: no }).execute()
    const consent = { text: 'Ya', language: 'id' as const, at: later }
    await record({ phone, origin: { kind: 'file' }, consent, now: later })
    expect((await leadOf(leadId)).stage).toBe('not_interested')
    await record({ phone, now: later })
    expect((await leadOf(leadId)).stage).toBe('not_interested')
    await record({ phone, consent, now: later })
    expect((await leadOf(leadId)).stage).toBe('new')
  })
})

describe('the database', () => {
  test("keeps a lead's origins and notes unchanged until the lead is deleted", async () => {
    const { leadId } = await record()
    await t.db.insertInto('leadNotes').values({ leadId, kind: 'note', text: 'Ramah', at: t.clock.now() }).execute()
    const refused = 'are only added'
    await expect(
      t.db.updateTable('leadNotes').set({ text: 'Lain' }).where('leadId', '=', leadId).execute(),
    ).rejects.toThrow(refused)
    await expect(t.db.deleteFrom('leadNotes').where('leadId', '=', leadId).execute()).rejects.toThrow(refused)
    await expect(
      t.db.updateTable('leadOrigins').set({ consentText: 'x' }).where('leadId', '=', leadId).execute(),
    ).rejects.toThrow(refused)
    await expect(t.db.deleteFrom('leadOrigins').where('leadId', '=', leadId).execute()).rejects.toThrow(refused)
    await t.db.deleteFrom('leads').where('id', '=', leadId).execute()
    expect(await originsOf(leadId)).toEqual([])
  })
})
