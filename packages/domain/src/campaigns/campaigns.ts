/** Kinds of people a campaign can be sent to. */
export const audiences = ['registrations', 'sheet', 'leads', 'visitors', 'schools', 'affiliates'] as const
export type Audience = (typeof audiences)[number]

/** Permission that opens an audience's screen and its campaigns. */
export const audiencePermissions = {
  registrations: 'kirim-informasi-view',
  sheet: 'kirim-informasi-file-excel',
  leads: 'marketing-kirim-informasi-view',
  visitors: 'marketing-kirim-informasi-view',
  schools: 'marketing-kirim-informasi-view',
  affiliates: 'marketing-kirim-informasi-view',
} as const satisfies Record<Audience, string>

/** Audiences that a role limited to some study programmes can write to; the others are of the whole university. */
export const scopedAudiences: readonly Audience[] = ['registrations', 'sheet']

/** Purposes of a message. Nobody can opt out of `service`; the others are marketing, each with an opt-out of its own. */
export const purposes = ['service', 'admission', 'events'] as const
export type Purpose = (typeof purposes)[number]
export const marketingPurposes = ['admission', 'events'] as const satisfies readonly Purpose[]
export type MarketingPurpose = (typeof marketingPurposes)[number]

/**
 * Purposes that an audience can be written to for, a new campaign's first; leads and schools get no service messages. The
 * rows of a sheet may be strangers, so that service, which nobody can opt out of, is chosen by hand.
 */
export const purposesOf = {
  registrations: ['service', 'admission', 'events'],
  sheet: ['admission', 'events', 'service'],
  leads: ['admission', 'events'],
  visitors: ['service', 'admission', 'events'],
  schools: ['admission', 'events'],
  affiliates: ['service', 'events'],
} as const satisfies Record<Audience, readonly Purpose[]>

export const channels = ['whatsapp', 'email', 'inbox'] as const
export type Channel = (typeof channels)[number]

/** Channels that can reach an audience; an inbox belongs to an account. */
export const channelsOf = {
  registrations: ['whatsapp', 'email', 'inbox'],
  sheet: ['whatsapp', 'email'],
  leads: ['whatsapp', 'email'],
  visitors: ['whatsapp', 'email'],
  schools: ['whatsapp', 'email'],
  affiliates: ['whatsapp', 'email', 'inbox'],
} as const satisfies Record<Audience, readonly Channel[]>

export const campaignStates = [
  'draft',
  'planned',
  'to_approve',
  'scheduled',
  'running',
  'paused',
  'finished',
  'cancelled',
] as const
export type CampaignState = (typeof campaignStates)[number]

/**
 * Steps of a campaign. `plan` freezes the recipients; `edit` drops them again. `release` leads to `to_approve` instead
 * where the campaign is too large for one person. The worker takes `start` and `finish`.
 */
export const campaignTransitions = {
  plan: { from: ['draft', 'planned'], to: 'planned' },
  edit: { from: ['planned', 'to_approve', 'scheduled'], to: 'draft' },
  release: { from: ['planned'], to: 'scheduled' },
  approve: { from: ['to_approve'], to: 'scheduled' },
  reschedule: { from: ['to_approve', 'scheduled'], to: null },
  start: { from: ['scheduled'], to: 'running' },
  pause: { from: ['running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  retry: { from: ['finished'], to: 'running' },
  finish: { from: ['running'], to: 'finished' },
  cancel: { from: ['draft', 'planned', 'to_approve', 'scheduled', 'running', 'paused'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly CampaignState[]; to: CampaignState | null }>
export type CampaignStep = keyof typeof campaignTransitions

/** Steps that staff take, each an endpoint of its own. */
export const staffSteps = [
  'plan',
  'edit',
  'release',
  'approve',
  'reschedule',
  'pause',
  'resume',
  'retry',
  'cancel',
] as const satisfies readonly CampaignStep[]
export type StaffStep = (typeof staffSteps)[number]

export const isStepFrom = (step: CampaignStep, state: CampaignState) =>
  (campaignTransitions[step].from as readonly CampaignState[]).includes(state)

export const recipientStates = [
  'planned',
  'skipped',
  'handed',
  'accepted',
  'delivered',
  'read',
  'failed',
  'uncertain',
] as const
export type RecipientState = (typeof recipientStates)[number]

/** Why somebody of the audience is not written to, in the order in which they are judged. */
export const skipReasons = [
  'no_address',
  'invalid_row',
  'opted_out',
  'suppressed',
  'value_missing',
  'same_person',
  'same_address',
  'window_closed',
  'out_of_scope',
  'registration_ended',
  'continued',
  'cancelled',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Why handing over failed for good, besides the problems of WhatsApp. */
export const failReasons = ['refused', 'bounced', 'complained', 'unreachable'] as const

/** Whether a report advances a recipient: states never go back, and a delivered message cannot fail. */
export function isProgress(state: RecipientState, reported: RecipientState): boolean {
  if (reported === 'failed') return state === 'handed' || state === 'accepted' || state === 'uncertain'
  const order: readonly RecipientState[] = ['handed', 'uncertain', 'accepted', 'delivered', 'read']
  if (state === 'failed') return reported === 'delivered' || reported === 'read'
  return order.indexOf(reported) > order.indexOf(state)
}

/** Why an address is blocked: mail came back, its owner complained, or WhatsApp cannot reach it. */
export const suppressionReasons = ['bounced', 'complained', 'unreachable', 'blocked'] as const

/** Where somebody said that they want no more messages. */
export const optOutSources = ['link', 'one_click', 'word', 'staff', 'preferences'] as const
export type OptOutSource = (typeof optOutSources)[number]

/** Placeholders of an audience besides `name` and `university`; a sheet has its columns. */
const audiencePlaceholders = {
  registrations: ['code', 'programme', 'wave', 'track', 'amount', 'due'],
  sheet: [],
  leads: ['school', 'programme'],
  visitors: ['event', 'session', 'date', 'place', 'code'],
  schools: ['school', 'city'],
  affiliates: ['code'],
} as const satisfies Record<Audience, readonly string[]>

/** Placeholders of every audience; a column of a sheet with the same heading takes the place of one. */
export const commonPlaceholders: readonly string[] = ['name', 'university']

export const placeholdersOfAudience = (audience: Audience, sheetColumns: readonly string[] = []) => [
  ...new Set([...commonPlaceholders, ...(audience === 'sheet' ? sheetColumns : audiencePlaceholders[audience])]),
]

/** Fields of a campaign or template that hold its texts. */
export const textFields = ['subjectId', 'subjectEn', 'bodyId', 'bodyEn'] as const
export type Texts = Record<(typeof textFields)[number], string>

/** Whether a campaign sends texts of its own: WhatsApp alone with a template does not. */
export const needsTexts = (order: readonly Channel[], hasTemplate: boolean) =>
  order.some((channel) => channel !== 'whatsapp' || !hasTemplate)

/** First and last hour of the day in which people are not disturbed, by their own clock. */
export const quietHours = { from: 20, until: 7 } as const

/** People shown in a preview. */
export const previewedPeople = 5

/** Days that a sheet is kept after its last campaign ended. */
export const keepSheetDays = 30

/** Bytes of an uploaded sheet. */
export const maxSheetBytes = 30_000_000
export const maxSheetRows = 200_000

/** Why staff paused a campaign is not asked; these are the product's own reasons. */
export const pauseReasons = ['channel_down', 'rights_lost', 'restored'] as const
export type PauseReason = (typeof pauseReasons)[number]
