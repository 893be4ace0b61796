import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

let count = 0

/** Input as the campaign form sends it. */
export const draftInput = (change: Partial<CampaignDraft> = {}): CampaignDraft => ({
  name: `Kiriman ${++count}`,
  audience: 'registrations',
  filters: {},
  sheetId: null,
  purpose: 'service',
  ignoresQuietHours: false,
  channels: ['email'],
  subjectId: 'Kabar untuk {{name}}',
  subjectEn: 'News for {{name}}',
  bodyId: 'Yth. {{name}}, dari {{university}}.',
  bodyEn: 'Dear {{name}}, from {{university}}.',
  templateId: null,
  ...change,
})

/** Preview of a draft, as the form requests it. */
export function previewDraft(actor: TestActor, change: Partial<CampaignDraft> = {}) {
  const { name: _name, ...body } = draftInput(change)
  return actor.post('/kirim-informasi/campaigns/preview', body)
}

/** Takes a step of a campaign, with the version from its last answer. */
export const takeStep = (
  actor: TestActor,
  campaign: { id: string; version: number },
  step: string,
  body: Record<string, unknown> = {},
) => actor.post(`/kirim-informasi/campaigns/${campaign.id}/${step}`, { version: campaign.version, ...body })

export async function aDraft(actor: TestActor, change: Partial<CampaignDraft> = {}) {
  const answer = await actor.post('/kirim-informasi/campaigns', draftInput(change))
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data
}

/** A campaign whose recipients are frozen. */
export async function aPlanned(actor: TestActor, change: Partial<CampaignDraft> = {}) {
  const answer = await takeStep(actor, await aDraft(actor, change), 'plan')
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

export const readCampaign = async (actor: TestActor, id: string) =>
  (await actor.get(`/kirim-informasi/campaigns/${id}`)).json().data

/** A planned campaign released by `actor` and running, as the worker leaves it. */
export async function startedCampaign(t: TestApp, actor: TestActor, planned: { id: string; version: number }) {
  const { id } = (await takeStep(actor, planned, 'release', { startsAt: null })).json().data
  await t.db.updateTable('campaigns').set({ state: 'running', startedAt: t.clock.now() }).where('id', '=', id).execute()
  return readCampaign(actor, id)
}

export const aRunningCampaign = async (t: TestApp, actor: TestActor, change: Partial<CampaignDraft> = {}) =>
  startedCampaign(t, actor, await aPlanned(actor, change))

export const finishCampaign = (t: TestApp, id: string) =>
  t.db.updateTable('campaigns').set({ state: 'finished', endedAt: t.clock.now() }).where('id', '=', id).execute()

/** Sets a recipient's state like the worker. */
export async function setRecipient(t: TestApp, id: string, number: number, state: 'failed' | 'accepted' | 'uncertain') {
  await t.db
    .updateTable('campaignRecipients')
    .set({ state, reason: state === 'failed' ? 'refused' : null, dueAt: null, handoverId: crypto.randomUUID() })
    .where('campaignId', '=', id)
    .where('number', '=', number)
    .execute()
}

/** A planned campaign, a sheet, a template and addresses; their ids by the path segment before them. */
export async function someSending(t: TestApp, actor: TestActor) {
  const createdAt = t.clock.now()
  const planned = await aPlanned(actor, { name: 'Kiriman rahasia' })
  const template = await actor.post('/kirim-informasi/templates', {
    ...{ name: 'Templat rahasia', audience: 'registrations', providerTemplate: null, active: true },
    ...{ subjectId: 'Halo', subjectEn: 'Hello', bodyId: 'Halo {{name}}', bodyEn: 'Hello {{name}}' },
  })
  const bytes = Buffer.from('Nama,HP\nSiswa Rahasia,081200077001\n')
  const sheet = await actor.upload('/kirim-informasi/sheets', { name: 'rahasia.csv', type: 'text/csv', bytes })
  const suppression = await t.db
    .insertInto('suppressedAddresses')
    .values({ address: 'rahasia@example.com', channel: 'email', reason: 'bounced', createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const optOut = await t.db
    .insertInto('optOuts')
    .values({ address: 'rahasia@example.com', purpose: 'events', source: 'link', createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    campaigns: planned.id as string,
    templates: template.json().data.id as string,
    sheets: sheet.json().data.id as string,
    suppressions: suppression.id,
    'opt-outs': optOut.id,
  }
}
