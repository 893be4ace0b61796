import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetCampaignsJob } from '#server/modules/campaigns/forget-campaigns.job.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import {
  aRunningCampaign,
  draftInput,
  finishCampaign,
  readCampaign,
  setRecipient,
  startedCampaign,
  takeStep,
} from '#server-test/factories/campaigns.ts'
import { aLead } from '#server-test/factories/leads.ts'
import { recipientsOf, statesOf } from '#server-test/factories/sending.ts'
import { csvOf } from '#server-test/factories/sheets/sheets.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  for (let one = 0; one < 2; one++) await aRegistration(t)
}, 60_000)
afterAll(() => t.close())

const read = (id: string) => readCampaign(staff, id)
const start = (planned: { id: string; version: number }) => startedCampaign(t, staff, planned)
const aRunning = (change: object = {}) => aRunningCampaign(t, staff, change)
/**
 * Pauses and continues a running campaign. Starts the continuation, marks every recipient as reached, and finishes it.
 * Returns the continuation as read at its start.
 */
async function aFinishedContinuation(running: { id: string; version: number }) {
  const paused = (await takeStep(staff, running, 'pause')).json().data
  const child = (await takeStep(staff, paused, 'continue')).json().data
  const last = await start((await takeStep(staff, child, 'plan')).json().data)
  for (const { number } of await recipientsOf(t, last.id)) await setRecipient(t, last.id, number, 'accepted')
  await finishCampaign(t, last.id)
  return last
}

describe('a campaign', () => {
  test('is retried for failed recipients, never for uncertain ones', async () => {
    const { id } = await aRunning()
    await setRecipient(t, id, 1, 'failed')
    await setRecipient(t, id, 2, 'uncertain')
    await t.db.deleteFrom('campaignRecipients').where('campaignId', '=', id).where('number', '>', 2).execute()
    await finishCampaign(t, id)
    const finished = await read(id)
    expect(finished.may).toContain('retry')
    const retried = (await takeStep(staff, finished, 'retry')).json().data
    expect(retried).toMatchObject({ state: 'running', endedAt: null })
    expect((await recipientsOf(t, id)).map(({ state, channels }) => [state, channels])).toEqual([
      ['planned', ['email']],
      ['uncertain', ['email']],
    ])
    await setRecipient(t, id, 1, 'accepted')
    await finishCampaign(t, id)
    expect((await read(id)).may).not.toContain('retry')
    expect((await takeStep(staff, await read(id), 'retry')).json().code).toBe('campaign_nothing_failed')
  })

  test('is not retried at a suppressed address', async () => {
    const { id } = await aRunning()
    await setRecipient(t, id, 1, 'failed')
    const [failed] = await recipientsOf(t, id)
    await t.db
      .insertInto('suppressedAddresses')
      .values({ address: failed!.email!, channel: 'email', reason: 'bounced', createdAt: t.clock.now() })
      .execute()
    await finishCampaign(t, id)
    const finished = await read(id)
    expect([finished.retryable, finished.may]).toEqual([0, expect.not.arrayContaining(['retry'])])
    expect((await takeStep(staff, finished, 'retry')).json().code).toBe('campaign_nothing_failed')
    await t.db.deleteFrom('suppressedAddresses').execute()
    expect(await read(id)).toMatchObject({ retryable: 1, may: expect.arrayContaining(['retry']) })
  })

  test('is not retried by another channel for a recipient who complained about the mail', async () => {
    const { id } = await aRunning({ channels: ['email', 'whatsapp'] })
    await setRecipient(t, id, 1, 'failed')
    await t.db
      .updateTable('campaignRecipients')
      .set({ reason: 'complained', phone: '+6281200040001' })
      .where('campaignId', '=', id)
      .where('number', '=', 1)
      .execute()
    await finishCampaign(t, id)
    expect((await takeStep(staff, await read(id), 'retry')).json().code).toBe('campaign_nothing_failed')
  })

  test('is not retried for a person at an address where it already reached another one', async () => {
    const { id } = await aRunning({ channels: ['email'] })
    await setRecipient(t, id, 1, 'accepted')
    await setRecipient(t, id, 2, 'failed')
    await t.db.deleteFrom('campaignRecipients').where('campaignId', '=', id).where('number', '>', 2).execute()
    await t.db
      .updateTable('campaignRecipients')
      .set({ email: 'satu@example.com' })
      .where('campaignId', '=', id)
      .execute()
    await finishCampaign(t, id)
    expect((await takeStep(staff, await read(id), 'retry')).json().code).toBe('campaign_nothing_failed')
  })

  test('is continued for recipients it did not reach, with another text', async () => {
    const running = await aRunning()
    await setRecipient(t, running.id, 1, 'accepted')
    const [reached] = await recipientsOf(t, running.id)
    const newcomer = await aRegistration(t)
    const paused = (await takeStep(staff, running, 'pause')).json().data
    expect(paused.may).toContain('continue')
    const child = (await takeStep(staff, paused, 'continue')).json().data
    expect(child).toMatchObject({
      state: 'draft',
      parent: { id: running.id },
      name: `${running.name} (continued)`,
    })
    const parent = await read(running.id)
    expect(parent).toMatchObject({ state: 'cancelled', child: { id: child.id } })
    expect(await statesOf(t, running.id)).toEqual({ accepted: 1, skipped: running.recipients - 1 })
    const planned = (await takeStep(staff, child, 'plan')).json().data
    expect(planned.recipients).toBe(running.recipients - 1)
    const { name: _name, ...question } = draftInput()
    const preview = await staff.post('/kirim-informasi/campaigns/preview', { ...question, parentId: running.id })
    expect(preview.json().data.people).toBe(planned.recipients)
    const accountIds = (await recipientsOf(t, child.id)).map(({ accountId }) => accountId)
    expect(accountIds).not.toContain(reached!.accountId)
    expect(accountIds).not.toContain(newcomer.applicant.accountId)
    const { data: anew } = (await staff.post('/kirim-informasi/campaigns/preview', question)).json()
    expect(anew.people).toBe(running.recipients + 1)
  })

  test('is continued with the unreached leads, or the unreached rows of a spreadsheet', async () => {
    for (const name of ['Satu', 'Dua']) await aLead(t, { name, email: `${name}.lanjut@example.com` })
    const leads = await aRunning({ audience: 'leads', purpose: 'admission' })
    await setRecipient(t, leads.id, 1, 'accepted')
    await aLead(t, { name: 'Baru', email: 'baru.lanjut@example.com' })
    const bytes = csvOf([
      ['Nama', 'Email'],
      ...[1, 2, 3].map((number) => [`Baris ${number}`, number === 3 ? '' : `baris-${number}@example.com`]),
    ])
    const { id: sheetId } = (
      await staff.upload('/kirim-informasi/sheets', { name: 'a.csv', type: 'text/csv', bytes })
    ).json().data
    const sheet = await aRunning({ audience: 'sheet', sheetId, purpose: 'admission' })
    await setRecipient(t, sheet.id, 1, 'accepted')
    for (const campaign of [leads, sheet]) {
      const paused = (await takeStep(staff, campaign, 'pause')).json().data
      const child = (await takeStep(staff, paused, 'continue')).json().data
      expect((await takeStep(staff, child, 'plan')).json().data.recipients).toBe(campaign.recipients - 1)
    }
  })

  test('is continued for every account that shares an address to which nothing was sent', async () => {
    const pupils = [await aRegistration(t), await aRegistration(t), await aRegistration(t)]
    const accountIds = pupils.map(({ applicant }) => applicant.accountId)
    await t.db.updateTable('applicants').set({ phone: '+6281200050001' }).where('accountId', 'in', accountIds).execute()
    const pupilsOf = async (id: string) =>
      (await recipientsOf(t, id)).filter(({ accountId }) => accountIds.includes(accountId!))
    const byMail = await aRunning({ channels: ['email'] })
    const [reached, complained, other] = await pupilsOf(byMail.id)
    await setRecipient(t, byMail.id, reached!.number, 'accepted')
    await setRecipient(t, byMail.id, complained!.number, 'failed')
    await t.db
      .updateTable('campaignRecipients')
      .set({ reason: 'complained' })
      .where('campaignId', '=', byMail.id)
      .where('number', '=', complained!.number)
      .execute()
    const paused = (await takeStep(staff, byMail, 'pause')).json().data
    const child = (await takeStep(staff, paused, 'continue')).json().data
    await takeStep(staff, child, 'plan')
    expect((await pupilsOf(child.id)).map(({ accountId }) => accountId)).toEqual([other!.accountId])

    const byPhone = await aRunning({ channels: ['whatsapp', 'email'] })
    const [first] = await pupilsOf(byPhone.id)
    expect(first!.channels[0]).toBe('whatsapp')
    await setRecipient(t, byPhone.id, first!.number, 'accepted')
    const next = (await takeStep(staff, (await takeStep(staff, byPhone, 'pause')).json().data, 'continue')).json().data
    await takeStep(staff, next, 'plan')
    expect((await pupilsOf(next.id)).filter(({ channels }) => channels.includes('whatsapp'))).toEqual([])
  })

  test('whose message fails after it was continued has that recipient continued by the last campaign of the family', async () => {
    const first = await aRunning()
    await setRecipient(t, first.id, 1, 'accepted')
    const last = await aFinishedContinuation(first)
    expect((await read(last.id)).may).not.toContain('continue')
    expect((await takeStep(staff, await read(last.id), 'continue')).json().code).toBe('campaign_nothing_left')
    await setRecipient(t, first.id, 1, 'failed')
    const finished = await read(last.id)
    expect(finished.may).toContain('continue')
    const third = (await takeStep(staff, finished, 'continue')).json().data
    expect((await takeStep(staff, third, 'plan')).json().data.recipients).toBe(1)
    const [failed] = await recipientsOf(t, first.id)
    expect((await recipientsOf(t, third.id))[0]!.accountId).toBe(failed!.accountId)
  })

  test('whose uncertain recipient is skipped after it was continued leaves that recipient to the last campaign of the family', async () => {
    const first = await aRunning()
    await setRecipient(t, first.id, 1, 'uncertain')
    const last = await aFinishedContinuation(first)
    expect((await read(last.id)).may).not.toContain('continue')
    await t.db
      .updateTable('campaignRecipients')
      .set({ state: 'skipped', reason: 'continued', handoverId: null })
      .where('campaignId', '=', first.id)
      .where('number', '=', 1)
      .execute()
    const third = (await takeStep(staff, await read(last.id), 'continue')).json().data
    expect((await takeStep(staff, third, 'plan')).json().data.recipients).toBe(1)
  })

  test('continued twice leaves out everyone reached by its family, and cannot be retried', async () => {
    for (let one = 0; one < 2; one++) await aRegistration(t)
    const first = await aRunning()
    await setRecipient(t, first.id, 1, 'accepted')
    await setRecipient(t, first.id, 2, 'failed')
    const second = (await takeStep(staff, (await takeStep(staff, first, 'pause')).json().data, 'continue')).json().data
    const running = await start((await takeStep(staff, second, 'plan')).json().data)
    expect(running.recipients).toBe(first.recipients - 1)
    await setRecipient(t, running.id, 1, 'accepted')
    const paused = (await takeStep(staff, running, 'pause')).json().data
    const third = (await takeStep(staff, paused, 'continue')).json().data
    expect((await takeStep(staff, third, 'plan')).json().data.recipients).toBe(first.recipients - 2)

    // The second campaign ended when the third began. People whom the second reached stay out of later continuations of
    // the first.
    await finishCampaign(t, first.id)
    const finished = await read(first.id)
    expect(finished.may).not.toContain('retry')
    expect((await takeStep(staff, finished, 'retry')).json().code).toBe('campaign_continued')
    expect(finished).toMatchObject({ child: { id: third.id } })
    expect((await takeStep(staff, finished, 'continue')).json().code).toBe('campaign_continued')
    await takeStep(staff, await read(third.id), 'cancel')
    const again = (await takeStep(staff, await read(first.id), 'continue')).json().data
    expect((await takeStep(staff, again, 'plan')).json().data.recipients).toBe(first.recipients - 2)
  })

  test('whose recipients are forgotten is neither retried nor continued, because it is unknown whom it reached', async () => {
    const [first, second] = [await aRunning(), await aRunning()]
    for (const { id } of [first, second]) {
      await setRecipient(t, id, 1, 'accepted')
      await setRecipient(t, id, 2, 'failed')
      await finishCampaign(t, id)
    }
    const child = (await takeStep(staff, await read(first.id), 'continue')).json().data
    const endedAt = new Date(t.clock.now().getTime() - 1_096 * 86_400_000)
    await t.db.updateTable('campaigns').set({ endedAt }).where('id', 'in', [first.id, second.id]).execute()
    const stale = await read(second.id)
    await forgetCampaignsJob.run(t.services, {} as never)
    const plan = await takeStep(staff, child, 'plan')
    expect([plan.statusCode, plan.json().code]).toEqual([409, 'campaign_forgotten'])
    const forgotten = await read(second.id)
    expect(forgotten.may).toEqual([])
    for (const step of ['retry', 'continue'])
      expect((await takeStep(staff, forgotten, step)).json().code).toBe('campaign_forgotten')
    expect((await takeStep(staff, stale, 'continue')).json().code).toBe('stale_version')
    expect((await read(second.id)).counts).toEqual(stale.counts)
  })
})

test('a campaign whose continuation was deleted can be continued again', async () => {
  const paused = (await takeStep(staff, await aRunning(), 'pause')).json().data
  const child = (await takeStep(staff, paused, 'continue')).json().data
  expect((await staff.delete(`/kirim-informasi/campaigns/${child.id}?version=${child.version}`)).statusCode).toBe(200)
  const { may, version } = await read(paused.id)
  expect(may).toContain('continue')
  const other = (await takeStep(staff, { id: paused.id, version }, 'continue')).json().data
  expect((await takeStep(staff, other, 'plan')).json().data.reachable).toBe(paused.reachable)
})
