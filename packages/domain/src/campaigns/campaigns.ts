/** Where a campaign's recipients come from. */
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

/** Purposes allowed for each audience. The first is preselected. */
export const purposesOf = {
  registrations: ['service', 'admission', 'events'],
  // `service` is not first, because a sheet may list strangers, who cannot opt out of `service`.
  sheet: ['admission', 'events', 'service'],
  leads: ['admission', 'events'],
  visitors: ['service', 'admission', 'events'],
  schools: ['admission', 'events'],
  affiliates: ['service', 'events'],
} as const satisfies Record<Audience, readonly Purpose[]>

export const channels = ['whatsapp', 'email', 'inbox'] as const
export type Channel = (typeof channels)[number]

/** Channels offered for each audience. The inbox needs an account. */
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

/** Steps of a campaign. `to: null` keeps the state. */
export const campaignTransitions = {
  plan: { from: ['draft', 'planned'], to: 'planned' },
  edit: { from: ['planned', 'to_approve', 'scheduled'], to: 'draft' },
  // Leads to `to_approve` if more people are reachable than the setting `secondPersonAbove` allows.
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

/** Steps that staff take. The server takes `start` and `finish`. */
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

/** Why a recipient was skipped, at planning or later. */
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

/** Why a recipient's state is `failed`. WhatsApp adds the keys of `whatsappProblems`. */
export const failReasons = ['refused', 'bounced', 'complained', 'unreachable'] as const

/**
 * Whether `reported` replaces `state`. A failure does not replace `delivered` or `read`, but both replace `failed`.
 */
export function isProgress(state: RecipientState, reported: RecipientState): boolean {
  if (reported === 'failed') return state === 'handed' || state === 'accepted' || state === 'uncertain'
  const order: readonly RecipientState[] = ['handed', 'uncertain', 'accepted', 'delivered', 'read']
  if (state === 'failed') return reported === 'delivered' || reported === 'read'
  return order.indexOf(reported) > order.indexOf(state)
}

/**
 * Why an address is suppressed. `blocked` means that its owner stopped the university's marketing in WhatsApp (Meta
 * error 131050).
 */
export const suppressionReasons = ['bounced', 'complained', 'unreachable', 'blocked'] as const

/**
 * How an opt-out arrived. `one_click` is a mail program's unsubscribe button, and `word` a stop word sent by WhatsApp.
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

/** Whether a campaign needs subject and body. A campaign that sends only a WhatsApp template does not. */
export const needsTexts = (order: readonly Channel[], hasTemplate: boolean) =>
  order.some((channel) => channel !== 'whatsapp' || !hasTemplate)

/** Campaign mail and WhatsApp wait from 20:00 until 07:00 in the recipient's time zone, unless quiet hours are off. */
export const quietHours = { from: 20, until: 7 } as const

/** Maximum number of example recipients in a preview. */
export const previewedPeople = 5

/** Minimum number of days a sheet is kept. A campaign that uses the sheet can keep it longer. */
export const keepSheetDays = 30

export const maxSheetBytes = 30_000_000
export const maxSheetRows = 200_000

/** Reasons for automatic pauses. A pause by staff has no reason. */
export const pauseReasons = ['channel_down', 'rights_lost', 'restored'] as const
export type PauseReason = (typeof pauseReasons)[number]
