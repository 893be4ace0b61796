/** Kinds of audience: where a campaign's recipients come from. */
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

/**
 * Audiences that a role limited to some study programmes may send to. The other audiences need a role for the whole
 * university.
 */
export const scopedAudiences: readonly Audience[] = ['registrations', 'sheet']

/** Nobody can opt out of `service`. The other purposes are marketing, each with its own opt-out. */
export const purposes = ['service', 'admission', 'events'] as const
export type Purpose = (typeof purposes)[number]
export const marketingPurposes = ['admission', 'events'] as const satisfies readonly Purpose[]
export type MarketingPurpose = (typeof marketingPurposes)[number]

/**
 * Purposes allowed for each audience; the first is preselected. For sheets that is not `service`: a sheet may list
 * strangers, and nobody can opt out of `service`.
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

/** Channels offered for each audience. Only accounts have an inbox. */
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
 * `plan` freezes the recipients and `edit` deletes them. `release` leads to `to_approve` instead of `scheduled` if more
 * people are reachable than the setting `secondPersonAbove` allows. `to: null` keeps the state. The sender, not staff,
 * takes `start` and `finish`.
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

/** Steps that staff take, each through its own endpoint. */
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

/** Why a recipient is skipped, when the campaign is planned or later. */
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

/** Why sending to a recipient failed for good. WhatsApp messages can also fail with a key of `whatsappProblems`. */
export const failReasons = ['refused', 'bounced', 'complained', 'unreachable'] as const

/**
 * Whether a report changes a recipient's state. After `delivered` or `read`, a failure is ignored; after `failed`, a
 * delivery still counts.
 */
export function isProgress(state: RecipientState, reported: RecipientState): boolean {
  if (reported === 'failed') return state === 'handed' || state === 'accepted' || state === 'uncertain'
  const order: readonly RecipientState[] = ['handed', 'uncertain', 'accepted', 'delivered', 'read']
  if (state === 'failed') return reported === 'delivered' || reported === 'read'
  return order.indexOf(reported) > order.indexOf(state)
}

/**
 * Why an address is suppressed. `unreachable`: the number is not on WhatsApp. `blocked`: its owner stopped the
 * university's marketing messages in WhatsApp (Meta error 131050).
 */
export const suppressionReasons = ['bounced', 'complained', 'unreachable', 'blocked'] as const

/**
 * How an opt-out arrived. `one_click`: a mail program's unsubscribe button. `word`: a stop word sent by WhatsApp.
 * `preferences`: the account settings.
 */
export const optOutSources = ['link', 'one_click', 'word', 'staff', 'preferences'] as const
export type OptOutSource = (typeof optOutSources)[number]

/** Placeholders each audience adds to `commonPlaceholders`. A sheet adds its column headings. */
const audiencePlaceholders = {
  registrations: ['code', 'programme', 'wave', 'track', 'amount', 'due'],
  sheet: [],
  leads: ['school', 'programme'],
  visitors: ['event', 'session', 'date', 'place', 'code'],
  schools: ['school', 'city'],
  affiliates: ['code'],
} as const satisfies Record<Audience, readonly string[]>

/** Placeholders of every audience. A sheet column headed `name` or `university` replaces the common value. */
export const commonPlaceholders: readonly string[] = ['name', 'university']

export const placeholdersOfAudience = (audience: Audience, sheetColumns: readonly string[] = []) => [
  ...new Set([...commonPlaceholders, ...(audience === 'sheet' ? sheetColumns : audiencePlaceholders[audience])]),
]

export const textFields = ['subjectId', 'subjectEn', 'bodyId', 'bodyEn'] as const
export type Texts = Record<(typeof textFields)[number], string>

/** Whether a campaign needs subject and body. It does not if WhatsApp with a template is its only channel. */
export const needsTexts = (order: readonly Channel[], hasTemplate: boolean) =>
  order.some((channel) => channel !== 'whatsapp' || !hasTemplate)

/** Hours in the recipient's time zone: campaign mail and WhatsApp wait from 20:00 until 07:00. */
export const quietHours = { from: 20, until: 7 } as const

/** Maximum number of example recipients in a preview. */
export const previewedPeople = 5

/**
 * Days a sheet is kept after its upload, the end of its last campaign or the last change of a draft that uses it,
 * whichever is latest.
 */
export const keepSheetDays = 30

export const maxSheetBytes = 30_000_000
export const maxSheetRows = 200_000

/**
 * Reasons for automatic pauses: the channel fails, the creator may no longer send, or a backup was restored. Staff
 * pause without giving a reason.
 */
export const pauseReasons = ['channel_down', 'rights_lost', 'restored'] as const
export type PauseReason = (typeof pauseReasons)[number]
