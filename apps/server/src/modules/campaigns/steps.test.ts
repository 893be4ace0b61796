import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mayStillSendToAll } from '#server/modules/campaigns/claim/lifecycle.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import {
  aDraft,
  aPlanned,
  aRunningCampaign,
  draftInput,
  finishCampaign,
  readCampaign,
  setRecipient,
  startedCampaign,
  takeStep,
} from '#server-test/factories/campaigns.ts'
import { campaignRow, recipientsOf, setLimits, statesOf } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let second: TestActor
let code: string
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  second = await asStaff(t)
  ;({ code } = await aRegistration(t))
  await aRegistration(t)
}, 60_000)
afterAll(() => t.close())
beforeEach(() => setLimits(t, { secondPersonAbove: 500 }))

const inAnHour = () => new Date(t.clock.now().getTime() + 3_600_000).toISOString()
const read = (id: string, actor = staff) => readCampaign(actor, id)
const start = (planned: { id: string; version: number }) => startedCampaign(t, staff, planned)
const aRunning = (change: object = {}) => aRunningCampaign(t, staff, change)

describe('a campaign', () => {
  test('is drafted, planned, released and cancelled, each step with an audit entry', async () => {
    const draft = await aDraft(staff)
    expect(draft).toMatchObject({ state: 'draft', may: ['plan', 'cancel', 'update'], recipients: 0, counts: [] })
    const planned = (await takeStep(staff, draft, 'plan')).json().data
    expect(planned).toMatchObject({ state: 'planned', recipients: 2, reachable: 2 })
    expect(planned.counts).toEqual([{ state: 'planned', channel: 'email', reason: null, people: 2 }])
    expect(planned.may).toEqual(['plan', 'edit', 'release', 'cancel'])
    const startsAt = inAnHour()
    const released = (await takeStep(staff, planned, 'release', { startsAt })).json().data
    expect(released).toMatchObject({ state: 'scheduled', startsAt, approved: null })
    expect(released.released.name).toBe('Petugas Administrator')
    const cancelled = (await takeStep(staff, released, 'cancel')).json().data
    expect(cancelled).toMatchObject({ state: 'cancelled', may: [] })
    expect(await statesOf(t, draft.id)).toEqual({ skipped: 2 })
    const entries = await t.owner.selectFrom('auditLog').select('action').where('subjectId', '=', draft.id).execute()
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      ...['campaign.cancel', 'campaign.create', 'campaign.plan', 'campaign.release'],
    ])
  })

  test('keeps recipients and texts as planned, whatever changes later', async () => {
    const { id: templateId } = (
      await staff.post('/kirim-informasi/templates', {
        ...{
          name: `Tenggat ${crypto.randomUUID()}`,
          audience: 'registrations',
          providerTemplate: 'tenggat',
          active: true,
        },
        ...{ subjectId: 'a', subjectEn: 'a', bodyId: 'Halo {{name}}', bodyEn: 'Hello {{name}}' },
      })
    ).json().data
    const planned = await aPlanned(staff, { channels: ['whatsapp', 'email'], templateId })
    const [first] = await recipientsOf(t, planned.id)
    await t.db.updateTable('campaignTemplates').set({ bodyId: 'Lain' }).where('id', '=', templateId).execute()
    const { applicant } = await aRegistration(t)
    const released = (await takeStep(staff, planned, 'release', { startsAt: inAnHour() })).json().data
    expect(released.template.bodyId).toBe('Halo {{name}}')
    expect((await recipientsOf(t, planned.id)).map(({ accountId }) => accountId)).not.toContain(applicant.accountId)
    expect((await recipientsOf(t, planned.id))[0]).toEqual(first)
    const change = await staff.put(`/kirim-informasi/campaigns/${planned.id}`, {
      ...draftInput(),
      version: released.version,
    })
    expect([change.statusCode, change.json().code]).toEqual([409, 'wrong_status'])
    const draft = (await takeStep(staff, released, 'edit')).json().data
    expect(draft).toMatchObject({ state: 'draft', recipients: 0, released: null, startsAt: null })
    expect(await recipientsOf(t, planned.id)).toEqual([])
  })

  test('with more recipients than the setting needs approval by an account that neither made nor released it', async () => {
    await setLimits(t, { secondPersonAbove: 1 })
    const planned = await aPlanned(staff)
    expect(planned.needsSecondPerson).toBe(true)
    const { academic } = await aRegistration(t)
    const clerk = await asWithPermissions(t, ['kirim-informasi-view'])
    const outsiders = [
      await asWithPermissions(t, ['marketing-kirim-informasi-view']),
      await asWithPermissions(t, ['kirim-informasi-view'], { programmeIds: [academic.programmes[0]!] }),
    ]
    const waiting = (await takeStep(second, planned, 'release', { startsAt: null })).json().data
    expect(waiting.state).toBe('to_approve')
    const { rows: notices } = await sql<{ accountId: string; channel: string; link: string; subject: string }>`
      SELECT account_id, channel, link, subject FROM messages WHERE event = 'campaign-to-approve' ORDER BY channel`.execute(
      t.db,
    )
    expect(notices.filter(({ accountId }) => accountId === clerk.accountId)).toMatchObject([
      { channel: 'email', link: expect.stringContaining(`/kirim-informasi/pendaftaran/${planned.id}`) },
      { channel: 'inbox', subject: expect.stringContaining(planned.name) },
    ])
    for (const { accountId } of [staff, second, ...outsiders])
      expect(notices.map((notice) => notice.accountId)).not.toContain(accountId)
    for (const actor of [staff, second]) {
      expect((await read(planned.id, actor)).may).not.toContain('approve')
      const refused = await takeStep(actor, waiting, 'approve')
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'campaign_approver_involved'])
    }
    const third = await asStaff(t)
    expect((await read(planned.id, third)).may).toContain('approve')
    const approved = (await takeStep(third, waiting, 'approve')).json().data
    expect(approved.state).toBe('scheduled')
    expect(approved.approved).not.toBeNull()
    const edited = (await takeStep(staff, approved, 'edit')).json().data
    expect(edited.approved).toBeNull()
  })

  test('is not released without recipients, for the past or for the far future', async () => {
    const empty = await aPlanned(staff, { filters: { q: 'nobody-of-this-name' } })
    const refused = await takeStep(staff, empty, 'release', { startsAt: null })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'campaign_without_people'])
    const planned = await aPlanned(staff)
    const past = await takeStep(staff, planned, 'release', { startsAt: '2020-01-01T00:00:00Z' })
    expect([past.statusCode, Object.keys(past.json().errors)]).toEqual([422, ['startsAt']])
    for (const startsAt of ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59Z', '2099-01-01T00:00:00Z']) {
      const far = await takeStep(staff, planned, 'release', { startsAt })
      expect([far.statusCode, Object.keys(far.json().errors)], startsAt).toEqual([422, ['startsAt']])
    }
  })

  test('can be rescheduled until it starts', async () => {
    const planned = await aPlanned(staff)
    const released = (await takeStep(staff, planned, 'release', { startsAt: inAnHour() })).json().data
    const moved = (await takeStep(staff, released, 'reschedule', { startsAt: null })).json().data
    expect(moved).toMatchObject({ state: 'scheduled', startsAt: null })
    await t.db
      .updateTable('campaigns')
      .set({ state: 'running', startedAt: t.clock.now() })
      .where('id', '=', moved.id)
      .execute()
    expect((await takeStep(staff, moved, 'reschedule', { startsAt: inAnHour() })).json().code).toBe('wrong_status')
    expect((await takeStep(staff, moved, 'edit')).json().code).toBe('wrong_status')
  })

  test('is paused, resumed and cancelled', async () => {
    const running = await aRunning()
    const paused = (await takeStep(staff, running, 'pause')).json().data
    expect(paused).toMatchObject({ state: 'paused', pauseReason: null })
    const resumed = (await takeStep(staff, paused, 'resume')).json().data
    expect(resumed.state).toBe('running')
    const cancelled = (await takeStep(staff, resumed, 'cancel')).json().data
    expect(cancelled.state).toBe('cancelled')
    expect(new Set((await recipientsOf(t, running.id)).map(({ reason }) => reason))).toEqual(new Set(['cancelled']))
  })

  test('is not resumed, released, approved or retried while its maker may not send to its recipients', async () => {
    const maker = await asWithPermissions(t, ['kirim-informasi-view'])
    const planned = await aPlanned(maker)
    const paused = (await takeStep(staff, await start(await aPlanned(maker)), 'pause')).json().data
    await setLimits(t, { secondPersonAbove: 1 })
    const waiting = (await takeStep(maker, await aPlanned(maker), 'release', { startsAt: null })).json().data
    await setLimits(t, { secondPersonAbove: 500 })
    const failed = await start(await aPlanned(maker))
    await setRecipient(t, failed.id, 1, 'failed')
    await finishCampaign(t, failed.id)
    const setActive = (active: boolean) =>
      t.db.updateTable('accounts').set({ active }).where('id', '=', maker.accountId).execute()
    for (const [campaign, step, body] of [
      [planned, 'release', { startsAt: null }],
      [paused, 'resume', {}],
      [waiting, 'approve', {}],
      [failed, 'retry', {}],
    ] as const) {
      await setActive(false)
      const blocked = await read(campaign.id)
      expect(blocked.may).not.toContain(step)
      const refused = await takeStep(staff, blocked, step, body)
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'campaign_maker_may_not_send'])
      await setActive(true)
      expect((await read(campaign.id)).may).toContain(step)
      expect((await takeStep(staff, blocked, step, body)).statusCode).toBe(200)
    }
  })

  test('shows who took which step, newest first', async () => {
    const { id } = await aRunning()
    await takeStep(staff, await read(id), 'pause')
    const history = (await staff.get(`/kirim-informasi/campaigns/${id}/history`)).json().data
    expect(history.map(({ action }: { action: string }) => action)).toEqual(
      ['pause', 'release', 'plan', 'create'].map((step) => `campaign.${step}`),
    )
    expect(history[0]).toMatchObject({ name: 'Petugas Administrator', actingAs: null, at: expect.any(String) })
    const marketing = await asWithPermissions(t, ['marketing-kirim-informasi-view'])
    expect((await marketing.get(`/kirim-informasi/campaigns/${id}/history`)).statusCode).toBe(404)
  })

  test('is listed with counts that add up; a draft has none', async () => {
    const rowOf = async (id: string) =>
      (await staff.get('/kirim-informasi/campaigns?per_page=100'))
        .json()
        .data.find((row: { id: string }) => row.id === id)
    expect(await rowOf((await aDraft(staff)).id)).toMatchObject({ recipients: null, reachable: null, sent: 0 })
    const { id } = await aPlanned(staff, { filters: { q: code } })
    expect(await rowOf(id)).toMatchObject({ reachable: 1, sent: 0, failed: 0, uncertain: 0, waiting: 1 })
    await setRecipient(t, id, 1, 'uncertain')
    expect(await rowOf(id)).toMatchObject({ reachable: 1, sent: 0, failed: 0, uncertain: 1, waiting: 0 })
    await t.db.updateTable('campaignRecipients').set({ state: 'handed' }).where('campaignId', '=', id).execute()
    expect(await rowOf(id)).toMatchObject({ reachable: 1, sent: 1, failed: 0, uncertain: 0, waiting: 0 })
  })

  test('can be deleted as a draft, but not once it is planned', async () => {
    const draft = await aDraft(staff)
    expect((await staff.delete(`/kirim-informasi/campaigns/${draft.id}?version=${draft.version}`)).statusCode).toBe(200)
    expect((await staff.get(`/kirim-informasi/campaigns/${draft.id}`)).statusCode).toBe(404)
    const planned = await aPlanned(staff)
    const refused = await staff.delete(`/kirim-informasi/campaigns/${planned.id}?version=${planned.version}`)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'wrong_status'])
  })

  test('is tested by its maker with the values of the first recipient', async () => {
    const draft = await aDraft(staff, { channels: ['email', 'inbox'], filters: { q: code } })
    const answer = await staff.post(`/kirim-informasi/campaigns/${draft.id}/test`, { language: 'id' })
    expect(answer.json().data.to).toEqual([
      { channel: 'email', address: expect.stringContaining('@') },
      { channel: 'inbox', address: null },
    ])
    const messages = await t.db
      .selectFrom('messages')
      .select(['channel', 'subject', 'body'])
      .where('accountId', '=', staff.accountId)
      .where('event', '=', 'note')
      .execute()
    expect(messages.map(({ channel }) => channel).toSorted()).toEqual(['email', 'inbox'])
    expect(messages[0]!.subject).toContain('Kabar untuk')
    expect(messages[0]!.body).not.toContain('{{')
  })
})

describe('twenty parallel requests', () => {
  const twenty = (take: (index: number) => Promise<{ statusCode: number }>) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => take(index)))
  const wins = (answers: { statusCode: number }[]) => answers.filter(({ statusCode }) => statusCode === 200).length

  test('plan a draft once', async () => {
    const draft = await aDraft(staff)
    expect(wins(await twenty(() => takeStep(staff, draft, 'plan')))).toBe(1)
    const row = await campaignRow(t, draft.id)
    expect(await recipientsOf(t, draft.id)).toHaveLength(row.recipientCount)
  })

  test('release, pause and cancel once each', async () => {
    const planned = await aPlanned(staff)
    expect(wins(await twenty(() => takeStep(staff, planned, 'release', { startsAt: inAnHour() })))).toBe(1)
    const running = await aRunning()
    expect(wins(await twenty(() => takeStep(staff, running, 'pause')))).toBe(1)
    const paused = await read(running.id)
    const answers = await twenty((index) => takeStep(staff, paused, index % 2 === 0 ? 'cancel' : 'resume'))
    expect(wins(answers)).toBe(1)
  })

  test('continue a campaign once', async () => {
    const running = await aRunning()
    const paused = (await takeStep(staff, running, 'pause')).json().data
    expect(wins(await twenty(() => takeStep(staff, paused, 'continue')))).toBe(1)
    const children = await t.db.selectFrom('campaigns').select('id').where('parentId', '=', running.id).execute()
    expect(children).toHaveLength(1)
  })

  test('approve once', async () => {
    await setLimits(t, { secondPersonAbove: 0 })
    const planned = await aPlanned(staff)
    const waiting = (await takeStep(staff, planned, 'release', { startsAt: null })).json().data
    expect(wins(await twenty(() => takeStep(second, waiting, 'approve')))).toBe(1)
  })
})

describe('a role', () => {
  test('sees only campaigns of its own screens', async () => {
    const registrations = await aDraft(staff)
    const leads = await aDraft(staff, { audience: 'leads', purpose: 'admission' })
    const marketing = await asWithPermissions(t, ['marketing-kirim-informasi-view'])
    expect((await marketing.get(`/kirim-informasi/campaigns/${registrations.id}`)).statusCode).toBe(404)
    expect((await marketing.get(`/kirim-informasi/campaigns/${leads.id}`)).statusCode).toBe(200)
    const { data } = (await marketing.get('/kirim-informasi/campaigns')).json()
    expect(new Set(data.map(({ audience }: { audience: string }) => audience))).toEqual(new Set(['leads']))
    const refused = await marketing.post('/kirim-informasi/campaigns', draftInput())
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'campaign_audience_closed'])
  })

  test('limited to a programme sends to its own applicants and sees only its own campaigns', async () => {
    const { academic, choices, applicant } = await aRegistration(t, { status: 'submitted' })
    const other = academic.programmes.find((id) => id !== choices[0])!
    const mine = await asWithPermissions(t, ['kirim-informasi-view', 'pendaftaran-view'], { programmeIds: choices })
    const foreign = await asWithPermissions(t, ['kirim-informasi-view', 'pendaftaran-view'], { programmeIds: [other] })
    const planned = await aPlanned(mine)
    expect((await recipientsOf(t, planned.id)).map(({ accountId }) => accountId)).toContain(applicant.accountId)
    expect((await aPlanned(foreign)).recipients).toBe(0)
    expect((await foreign.get(`/kirim-informasi/campaigns/${planned.id}`)).statusCode).toBe(404)
    expect((await takeStep(foreign, planned, 'cancel')).statusCode).toBe(404)
    const whole = await aPlanned(staff)
    expect((await mine.get(`/kirim-informasi/campaigns/${whole.id}`)).statusCode).toBe(404)
    // A role limited to a programme no longer sees a recipient whose registration moved to another programme.
    await t.db
      .updateTable('registrations')
      .set({ programmeId: other })
      .where('accountId', '=', applicant.accountId)
      .execute()
    const { data } = (await mine.get(`/kirim-informasi/campaigns/${planned.id}/recipients`)).json()
    expect(data).toHaveLength(planned.recipients - 1)
    const leads = await asWithPermissions(t, ['marketing-kirim-informasi-view'], { programmeIds: choices })
    const refused = await leads.post(
      '/kirim-informasi/campaigns',
      draftInput({ audience: 'leads', purpose: 'admission' }),
    )
    expect(refused.statusCode).toBe(403)
  })

  test('limited to a programme releases nothing to people outside it, no matter who planned the campaign', async () => {
    const { choices, academic } = await aRegistration(t, { status: 'submitted' })
    const outsider = await aRegistration(t, { status: 'submitted' })
    await t.db
      .updateTable('registrations')
      .set({ programmeId: academic.programmes.find((id) => id !== choices[0])! })
      .where('id', '=', outsider.id)
      .execute()
    const mine = await asWithPermissions(t, ['kirim-informasi-view', 'pendaftaran-view'], { programmeIds: choices })
    const may = async (id: string) => mayStillSendToAll(t.db, await campaignRow(t, id), t.clock.now())
    const own = await aPlanned(mine)
    expect([own.may, await may(own.id)]).toEqual([expect.arrayContaining(['release']), true])
    const whole = (await takeStep(staff, await aDraft(mine), 'plan')).json().data
    expect(whole.recipients).toBeGreaterThan(own.recipients)
    expect([whole.may, await may(whole.id)]).toEqual([expect.not.arrayContaining(['release']), false])
    for (const actor of [mine, staff]) {
      const refused = await takeStep(actor, whole, 'release', { startsAt: null })
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'campaign_maker_may_not_send'])
    }
  })
})

describe('a campaign planned more than a year ago', () => {
  const planLongAgo = (id: string, days = 367) =>
    t.db
      .updateTable('campaigns')
      .set({ plannedAt: new Date(t.clock.now().getTime() - days * 86_400_000) })
      .where('id', '=', id)
      .execute()
  const refusalOf = (answer: { statusCode: number; json(): any }) => {
    const { code, errors } = answer.json()
    return [answer.statusCode, errors?.startsAt?.code ?? errors?.startsAt ?? code]
  }

  test('is neither released, rescheduled, approved nor resumed', async () => {
    const planned = await aPlanned(staff)
    await planLongAgo(planned.id)
    for (const startsAt of [null, inAnHour()])
      expect(refusalOf(await takeStep(staff, planned, 'release', { startsAt }))).toEqual([
        ...[409, 'campaign_recipients_old'],
      ])
    await planLongAgo(planned.id, 360)
    const inTwoWeeks = new Date(t.clock.now().getTime() + 14 * 86_400_000).toISOString()
    expect((await takeStep(staff, planned, 'release', { startsAt: inTwoWeeks })).statusCode).toBe(422)
    const released = (await takeStep(staff, planned, 'release', { startsAt: inAnHour() })).json().data
    expect((await takeStep(staff, released, 'reschedule', { startsAt: inTwoWeeks })).statusCode).toBe(422)
    const running = await aRunning()
    const paused = (await takeStep(staff, running, 'pause')).json().data
    await planLongAgo(paused.id)
    expect(refusalOf(await takeStep(staff, paused, 'resume'))).toEqual([409, 'campaign_recipients_old'])
    await setLimits(t, { secondPersonAbove: 0 })
    const waiting = (await takeStep(staff, await aPlanned(staff), 'release', { startsAt: null })).json().data
    await planLongAgo(waiting.id)
    expect(refusalOf(await takeStep(second, waiting, 'approve'))).toEqual([409, 'campaign_recipients_old'])
  })
})
