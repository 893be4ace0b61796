import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration, publish } from '#server-test/factories/admissions.ts'
import { anAffiliate } from '#server-test/factories/affiliates.ts'
import { aPlanned, draftInput, previewDraft } from '#server-test/factories/campaigns.ts'
import { recipientsOf } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.db.deleteFrom('optOuts').execute()
  await t.db.deleteFrom('suppressedAddresses').execute()
})

const previewed = async (change: Partial<CampaignDraft> = {}) => {
  const answer = await previewDraft(staff, change)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
/** Creates an applicant with a submitted registration. Tests select the registration by its code. */
async function somebody(
  account: { name?: string; phone?: string | null; language?: 'id' | 'en'; whatsapp?: boolean } = {},
) {
  const registration = await aRegistration(t, { status: 'submitted' })
  const { name, ...rest } = account
  const { accountId } = registration.applicant
  if (Object.keys(rest).length > 0) await t.db.updateTable('accounts').set(rest).where('id', '=', accountId).execute()
  await t.db
    .updateTable('applicants')
    .set({ phone: rest.phone ?? null, ...(name && { fullName: name }) })
    .where('accountId', '=', accountId)
    .execute()
  return { ...registration, accountId, email: registration.applicant.email }
}
const blockAddress = (address: string, channel: 'email' | 'whatsapp') =>
  t.db
    .insertInto('suppressedAddresses')
    .values({ address, channel, reason: 'bounced', createdAt: t.clock.now() })
    .execute()
const reasons = ({ skipped }: { skipped: { reason: string; people: number }[] }) =>
  Object.fromEntries(skipped.map(({ reason, people }) => [reason, people]))

describe('registrations', () => {
  test('are those the list shows for the same filters, one row per account', async () => {
    const { applicant, academic, code } = await aRegistration(t, { status: 'submitted' })
    const otherTrack = Object.values(academic.tracks).find((track) => track !== academic.tracks.regular)!
    await aRegistration(t, { applicant, trackId: otherTrack })
    const one = await previewed({ filters: { q: code } })
    expect(one).toMatchObject({ people: 1, reachable: 1, byChannel: [{ channel: 'email', people: 1 }] })
    for (const filters of [{ status: 'submitted' }, { waveId: academic.wave }, { documents: 'missing' }] as Record<
      string,
      string
    >[]) {
      const list = (await staff.get(`/pendaftaran?${new URLSearchParams({ ...filters, per_page: '200' })}`)).json()
      const ids = new Set(list.data.map((row: { id: string }) => row.id))
      const planned = await aPlanned(staff, { filters })
      const recipients = await recipientsOf(t, planned.id)
      expect(recipients.every(({ registrationId }) => ids.has(registrationId))).toBe(true)
      const accounts = await t.db
        .selectFrom('registrations')
        .select('accountId')
        .where('id', 'in', [...ids] as string[])
        .execute()
      expect(recipients).toHaveLength(new Set(accounts.map(({ accountId }) => accountId)).size)
    }
  })

  test.each([
    [{ colour: 'red' }, 'colour'],
    [{ page: '2' }, 'page'],
    [{ status: 'happy' }, 'status'],
    [{ waveId: 'nothing' }, 'waveId'],
  ])('filters %j get 422, because the list does not have them', async (filters, name) => {
    const answer = await previewDraft(staff, { filters: filters as Record<string, string> })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['filters']])
    expect(answer.body).toContain(name)
    expect((await staff.post('/kirim-informasi/campaigns', draftInput({ filters: filters as never }))).statusCode).toBe(
      422,
    )
  })

  test("take their time zone from the applicant's province, else from the campus", async () => {
    const { code, accountId } = await somebody()
    for (const [province, zone] of [
      ['12', 'Asia/Jakarta'],
      ['51', 'Asia/Makassar'],
      ['94', 'Asia/Jayapura'],
    ] as const) {
      const { rows } = await sql<{
        id: string
      }>`INSERT INTO provinces (code, name) VALUES (${province}, ${`Provinsi ${province}`})
        ON CONFLICT DO NOTHING RETURNING id`.execute(t.db)
      const provinceId =
        rows[0]?.id ??
        (await t.db.selectFrom('provinces').select('id').where('code', '=', province).executeTakeFirstOrThrow()).id
      await t.db
        .updateTable('applicants')
        .set({ provinceId, cityId: null, districtId: null, villageId: null })
        .where('accountId', '=', accountId)
        .execute()
      const planned = await aPlanned(staff, { filters: { q: code } })
      expect((await recipientsOf(t, planned.id))[0]!.timeZone).toBe(zone)
    }
  })

  test('fill their placeholders; an open bill gives amount and deadline, and recipients without one are skipped', async () => {
    const owes = await somebody({ language: 'id' })
    const paid = await aRegistration(t, { status: 'paid' })
    await t.db.updateTable('accounts').set({ language: 'en' }).where('id', '=', paid.applicant.accountId).execute()
    const texts = { bodyId: '{{code}}: {{amount}} sampai {{due}}', bodyEn: '{{code}} owes {{amount}}' }
    const planned = await aPlanned(staff, { filters: { q: owes.code }, ...texts })
    const [recipient] = await recipientsOf(t, planned.id)
    expect(recipient!.values).toMatchObject({ code: owes.code, amount: expect.stringMatching(/^Rp\u00a0[\d.]+$/) })
    expect((recipient!.values as { due: string }).due).toMatch(/^\d+ [A-Z]\w+ \d{4}, \d\d\.\d\d$/)
    const other = await previewed({ filters: { q: paid.code }, ...texts })
    expect(reasons(other)).toEqual({ value_missing: 1 })
    expect(other.examples[0]).toMatchObject({ why: 'value_missing', skipReason: 'value_missing', missing: ['amount'] })
    expect(other.examples[0].messages[0].body).toContain('[unpaid amount]')
  })

  test('never reveal an unpublished acceptance for another programme', async () => {
    const registration = await aRegistration(t, { status: 'verified' })
    const { academic, id, code, trackId } = registration
    const other = academic.programmes[1]!
    await t.db
      .updateTable('registrations')
      .set({
        status: 'decided',
        decision: 'accepted',
        acceptedProgrammeId: other,
        programmeId: other,
        decidedAt: t.clock.now(),
      })
      .where('id', '=', id)
      .execute()
    const names = await t.db.selectFrom('studyProgrammes').select(['id', 'name']).execute()
    const nameOf = (programmeId: string) => names.find((one) => one.id === programmeId)!.name
    const plannedValues = async () => {
      const planned = await aPlanned(staff, { filters: { q: code }, bodyId: '{{programme}}', bodyEn: '{{programme}}' })
      return (await recipientsOf(t, planned.id))[0]!.values
    }
    expect(await plannedValues()).toEqual({ programme: nameOf(registration.choices[0]!) })
    await publish(t, trackId)
    expect(await plannedValues()).toEqual({ programme: nameOf(other) })
  })
})

describe('channels and reasons', () => {
  test('a suppressed address falls back to the next channel; recipients without one are skipped', async () => {
    const { code, email } = await somebody({ phone: '+628120001001' })
    const both = { filters: { q: code }, channels: ['whatsapp' as const, 'email' as const] }
    expect((await previewed(both)).byChannel).toEqual([{ channel: 'whatsapp', people: 1 }])
    await blockAddress('+628120001001', 'whatsapp')
    expect((await previewed(both)).byChannel).toEqual([{ channel: 'email', people: 1 }])
    await blockAddress(email, 'email')
    expect(reasons(await previewed(both))).toEqual({ suppressed: 1 })
    expect((await previewed({ ...both, channels: ['whatsapp', 'inbox'] })).byChannel).toEqual([
      { channel: 'inbox', people: 1 },
    ])
  })

  test("WhatsApp needs a phone and the account's consent; without a connection there is no forecast", async () => {
    const { code, accountId } = await somebody({ phone: '+628120001002', whatsapp: false })
    const only = { filters: { q: code }, channels: ['whatsapp' as const] }
    expect(reasons(await previewed(only))).toEqual({ no_address: 1 })
    await t.db.updateTable('accounts').set({ whatsapp: true }).where('id', '=', accountId).execute()
    expect((await previewed(only)).reachable).toBe(1)
    await t.db.updateTable('whatsappConnections').set({ isDefault: false }).execute()
    const both = { ...only, channels: ['whatsapp' as const, 'email' as const] }
    expect(await previewed(both)).toMatchObject({
      reachable: 1,
      byChannel: [{ channel: 'whatsapp', people: 1 }],
      forecast: { endsAt: null },
    })
    expect((await recipientsOf(t, (await aPlanned(staff, both)).id))[0]!.channels).toEqual(['whatsapp', 'email'])
    await sql`UPDATE whatsapp_connections SET is_default = true WHERE id = (SELECT id FROM whatsapp_connections LIMIT 1)`.execute(
      t.db,
    )
  })

  test('by Meta’s Cloud API, free text reaches only people who wrote within 24 hours; a template reaches all', async () => {
    const { code } = await somebody({ phone: '+628120001003' })
    const { rows } = await sql<{ id: string }>`UPDATE whatsapp_connections SET kind = 'cloud', phone_number_id = '1'
      WHERE is_default RETURNING id`.execute(t.db)
    const only = { filters: { q: code }, channels: ['whatsapp' as const] }
    const closed = await previewed(only)
    expect([reasons(closed), closed.outsideWindow]).toEqual([{ window_closed: 1 }, 1])
    const withMail = await previewed({ ...only, channels: ['whatsapp', 'email'] })
    expect([withMail.byChannel, withMail.outsideWindow]).toEqual([[{ channel: 'email', people: 1 }], 1])
    const { id: templateId } = (
      await staff.post('/kirim-informasi/templates', {
        ...{ name: 'Jendela', audience: 'registrations', providerTemplate: 'jendela', active: true },
        ...{ subjectId: 'a', subjectEn: 'a', bodyId: 'Halo {{name}}', bodyEn: 'Hello {{name}}' },
      })
    ).json().data
    expect((await previewed({ ...only, templateId })).reachable).toBe(1)
    const wrote = (lastAt: Date) =>
      t.db
        .insertInto('whatsappWindows')
        .values({ connectionId: rows[0]!.id, address: '+628120001003', lastAt })
        .onConflict((same) => same.columns(['connectionId', 'address']).doUpdateSet({ lastAt }))
        .execute()
    await wrote(new Date(t.clock.now().getTime() - 25 * 3_600_000))
    expect((await previewed(only)).reachable).toBe(0)
    await wrote(new Date(t.clock.now().getTime() - 23 * 3_600_000))
    expect(await previewed(only)).toMatchObject({ reachable: 1, outsideWindow: 0 })
    await sql`UPDATE whatsapp_connections SET kind = 'log', phone_number_id = NULL WHERE is_default`.execute(t.db)
  })

  test('a test message uses the template as it was planned', async () => {
    await t.db.updateTable('accounts').set({ phone: '+628120001014' }).where('id', '=', staff.accountId).execute()
    const { code } = await somebody({ phone: '+628120001013' })
    const texts = { subjectId: 'a', subjectEn: 'a', bodyId: 'Lama {{name}}', bodyEn: 'Old {{name}}' }
    const template = { name: 'Uji', audience: 'registrations', providerTemplate: 'uji', active: true, ...texts }
    const { id: templateId } = (await staff.post('/kirim-informasi/templates', template)).json().data
    const planned = await aPlanned(staff, { filters: { q: code }, channels: ['whatsapp'], templateId })
    await staff.put(`/kirim-informasi/templates/${templateId}`, {
      ...{ ...template, bodyId: 'Baru {{name}}', active: false, version: 1 },
    })
    const answer = await staff.post(`/kirim-informasi/campaigns/${planned.id}/test`, { language: 'id' })
    expect(answer.statusCode, answer.body).toBe(200)
    const message = await t.db
      .selectFrom('messages')
      .select('body')
      .where('accountId', '=', staff.accountId)
      .where('channel', '=', 'whatsapp')
      .executeTakeFirstOrThrow()
    expect(message.body).toMatch(/^Lama /)
  })

  test('an opt-out counts for its purpose and every address of the person, never for service', async () => {
    const { code, email } = await somebody({ phone: '+628120001004' })
    await staff.post('/kirim-informasi/opt-outs', { address: '0812-0001-004', purpose: 'admission', note: 'By phone' })
    const filters = { q: code }
    expect(reasons(await previewed({ filters, purpose: 'admission' }))).toEqual({ opted_out: 1 })
    expect((await previewed({ filters, purpose: 'events' })).reachable).toBe(1)
    expect((await previewed({ filters, purpose: 'service' })).reachable).toBe(1)
    expect(email).toContain('@')
  })

  test('an opt-out for an address that only the account has counts too', async () => {
    const { code, accountId, email } = await somebody({ phone: '+628120001021' })
    const filters = { q: code }
    await t.db.updateTable('accounts').set({ phone: '+628120001022' }).where('id', '=', accountId).execute()
    await staff.post('/kirim-informasi/opt-outs', { address: '+628120001022', purpose: 'admission', note: 'By phone' })
    expect(reasons(await previewed({ filters, purpose: 'admission', channels: ['inbox'] }))).toEqual({ opted_out: 1 })
    expect((await previewed({ filters, purpose: 'events' })).reachable).toBe(1)
    const affiliate = await anAffiliate(t)
    await t.db
      .updateTable('affiliates')
      .set({ accountId, email: 'lain@example.com', phone: '+628120001023' })
      .where('id', '=', affiliate.id)
      .execute()
    await staff.post('/kirim-informasi/opt-outs', { address: email, purpose: 'events', note: 'By phone' })
    const planned = await aPlanned(staff, { audience: 'affiliates', purpose: 'events' })
    const row = (await recipientsOf(t, planned.id)).find(({ sourceId }) => sourceId === affiliate.id)
    expect(row).toMatchObject({ state: 'skipped', reason: 'opted_out' })
  })

  test('of two people with one phone, one gets the message and the other is skipped as same_address', async () => {
    const one = await somebody({ phone: '+628120001005' })
    const two = await somebody({ phone: '+628120001005' })
    await t.db
      .updateTable('applicants')
      .set({ fullName: 'Kembar Satu Nomor' })
      .where('accountId', 'in', [one.accountId, two.accountId])
      .execute()
    await sql`UPDATE registrations SET search_text = 'kembar satu nomor ' || code WHERE account_id = ANY(${[one.accountId, two.accountId]}::uuid[])`
      .execute(t.db)
      .catch(() => {})
    const answer = await previewed({ filters: { q: 'kembar satu nomor' }, channels: ['whatsapp'] })
    expect([answer.people, answer.reachable, reasons(answer)]).toEqual([2, 1, { same_address: 1 }])
  })

  test("a shared address is a later channel of at most one person, and of nobody if it is another's first channel", async () => {
    const phone = '+628120001015'
    const [one, two, three, four] = [
      await somebody({ phone }),
      await somebody({ phone }),
      await somebody({ phone: '+628120001016' }),
      await somebody({ phone: '+628120001016' }),
    ]
    await blockAddress(two.email, 'email')
    const planned = await aPlanned(staff, { channels: ['email', 'whatsapp'] })
    const channelsOf = new Map((await recipientsOf(t, planned.id)).map((row) => [row.accountId, row.channels]))
    expect([one, two, three, four].map(({ accountId }) => channelsOf.get(accountId))).toEqual([
      ['email'],
      ['whatsapp'],
      ['email', 'whatsapp'],
      ['email'],
    ])
  })

  test('the preview shows five people, among them the first, the longest name and one in the other language', async () => {
    const longest = 'Raden Ajeng Kusumawardhani Putri Sekar Arum Ningrum dari Kulon Progo'
    await somebody({ name: longest, language: 'id' })
    await somebody({ language: 'en' })
    const { examples } = await previewed()
    expect(examples).toHaveLength(5)
    expect(examples.map(({ why }: { why: string }) => why)).toEqual(
      expect.arrayContaining(['first', 'longest_name', 'other_language']),
    )
    expect(examples.find(({ why }: { why: string }) => why === 'longest_name').name).toBe(longest)
    expect(examples.every(({ messages }: { messages: { body: string }[] }) => !/\{\{/.test(messages[0]!.body))).toBe(
      true,
    )
  })

  test('the preview of a small audience begins with the first person and shows each person once', async () => {
    await somebody({ name: 'Budi Berdua' })
    await somebody({ name: 'Sari Rekaan Berdua' })
    const { examples } = await previewed({ filters: { q: 'berdua' } })
    expect(examples.map(({ why }: { why: string }) => why)).toEqual([
      'first',
      expect.stringMatching(/longest_name|any/),
    ])
    expect(new Set(examples.map(({ name }: { name: string }) => name)).size).toBe(2)
  })

  test('planning gives the numbers of the preview', async () => {
    const change = { bodyId: '{{amount}}', bodyEn: '{{amount}}', channels: ['whatsapp' as const, 'email' as const] }
    const before = await previewed(change)
    const planned = await aPlanned(staff, change)
    const skipped = planned.counts.filter(({ state }: { state: string }) => state === 'skipped')
    expect([planned.recipients, planned.reachable]).toEqual([before.people, before.reachable])
    expect(
      Object.fromEntries(skipped.map(({ reason, people }: { reason: string; people: number }) => [reason, people])),
    ).toEqual(reasons(before))
    const byChannel = planned.counts.filter(({ state }: { state: string }) => state === 'planned')
    expect(
      Object.fromEntries(
        byChannel.map(({ channel, people }: { channel: string; people: number }) => [channel, people]),
      ),
    ).toEqual(
      Object.fromEntries(
        before.byChannel.map(({ channel, people }: { channel: string; people: number }) => [channel, people]),
      ),
    )
    expect(before.needsSecondPerson).toBe(false)
    expect(before.forecast.endsAt).not.toBeNull()
  })
})
