import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import type { TestActor } from '#server-test/actors.ts'

let count = 0

/** What the form of a campaign sends. */
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

/** A step of a campaign, with the version that its last answer told. */
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
