import { z } from 'zod'
import { endpoint, type Problem, type Problems } from '#domain/endpoint.ts'
import { unknownPlaceholderIn } from '#domain/messaging/placeholders.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { oneLinePattern } from '#entities/define/one-line.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import {
  type Audience,
  audiences,
  campaignStates,
  channels,
  channelsOf,
  needsTexts,
  pauseReasons,
  placeholdersOfAudience,
  purposes,
  purposesOf,
  recipientStates,
  staffSteps,
  textFields,
} from './campaigns.ts'
import { forecastLimits } from './forecast.ts'

const byId = z.object({ id: z.uuid() })
const line = (max: number) => typedLine().min(1).max(max)
const text = (max: number) => typedText().max(max)

/**
 * Any one of these permissions opens the campaign endpoints. For a campaign, the server also checks the audience's
 * permission.
 */
export const campaignAccess = {
  access: 'kirim-informasi-view',
  alsoFor: ['kirim-informasi-file-excel', 'marketing-kirim-informasi-view'],
} as const

const draft = z.strictObject({
  name: line(120),
  audience: z.enum(audiences),
  /** Filters that narrow the audience down, including the search text `q`. */
  filters: z.record(z.string().max(40), z.string().max(200)).default({}),
  sheetId: z.uuid().nullable(),
  purpose: z.enum(purposes),
  ignoresQuietHours: z.boolean(),
  /** In the order in which they are tried. */
  channels: z.array(z.enum(channels)).min(1).max(3),
  subjectId: text(200).regex(oneLinePattern),
  subjectEn: text(200).regex(oneLinePattern),
  /** Leaves room for the opt-out line of free text, because WhatsApp allows 4,096 characters. */
  bodyId: text(4000),
  bodyEn: text(4000),
  /** Template for WhatsApp. Null for free text, which Meta accepts for 24 hours after the recipient's last message. */
  templateId: z.uuid().nullable(),
})
export type CampaignDraft = z.output<typeof draft>

/**
 * Returns a problem if the text has a placeholder that the audience lacks. `planOf` checks texts for sheets, whose
 * columns are unknown here.
 */
export function placeholderProblem(content: string | undefined, audience: Audience | undefined): Problem | null {
  if (!content || !audience || audience === 'sheet') return null
  const detail = unknownPlaceholderIn(content, placeholdersOfAudience(audience))
  return detail ? { code: 'placeholder_unknown', params: { detail } } : null
}

export function campaignProblems(campaign: Partial<CampaignDraft>): Problems {
  const { audience, purpose, channels: order, templateId, sheetId, ignoresQuietHours } = campaign
  const wantsText = order && needsTexts(order, Boolean(templateId))
  const missing = (content: string | undefined) => (wantsText && content === '' ? 'field_required' : null)
  return {
    sheetId: audience === 'sheet' && sheetId === null ? 'campaign_sheet_missing' : null,
    purpose:
      audience && purpose && !(purposesOf[audience] as readonly string[]).includes(purpose)
        ? 'campaign_purpose_not_for_audience'
        : null,
    ignoresQuietHours: ignoresQuietHours && purpose !== 'service' ? 'campaign_quiet_hours_of_service' : null,
    channels:
      order && new Set(order).size < order.length
        ? 'values_repeated'
        : audience && order?.some((channel) => !(channelsOf[audience] as readonly string[]).includes(channel))
          ? 'campaign_channel_not_for_audience'
          : null,
    ...Object.fromEntries(
      textFields.map((field) => [field, missing(campaign[field]) ?? placeholderProblem(campaign[field], audience)]),
    ),
  }
}

const count = z.int()
const byReason = z.array(z.object({ reason: z.string(), people: count }))

const message = z.object({ channel: z.enum(channels), subject: z.string().nullable(), body: z.string() })

/** Example recipient, with the campaign's messages filled in. */
const previewedPerson = z.object({
  name: z.string(),
  language: z.enum(languages),
  /** Why this recipient was chosen as an example. */
  why: z.enum(['first', 'longest_name', 'value_missing', 'other_language', 'any']),
  /** Why the recipient would be skipped; null if reachable. */
  skipReason: z.string().nullable(),
  channels: z.array(z.enum(channels)),
  messages: z.array(message),
  /** Placeholders for which this recipient has no value. */
  missing: z.array(z.string()),
})

/** Estimate of when the last message is sent. `endsAt` is null if a channel may send nothing or would need years. */
const forecast = z.object({
  endsAt: time.nullable(),
  /** The limit that decides `endsAt`. */
  limit: z.enum(forecastLimits),
  perDay: count.nullable(),
  /**
   * Earliest end of the recipients' quiet hours; null unless quiet hours apply to every recipient at the start. A
   * recipient may be due even later.
   */
  quietUntil: time.nullable(),
})

const preview = z.object({
  /** Reachable and skipped people. */
  people: count,
  reachable: count,
  skipped: byReason,
  /** Reachable people by the channel tried first. */
  byChannel: z.array(z.object({ channel: z.enum(channels), people: count })),
  examples: z.array(previewedPerson),
  forecast,
  /** Whether a second person must approve, because more than `secondPersonAbove` people are reachable. */
  needsSecondPerson: z.boolean(),
  secondPersonAbove: count,
  /**
   * People whom free text by WhatsApp does not reach, because they wrote nothing in the last 24 hours. Null unless
   * the WhatsApp connection has this limit.
   */
  outsideWindow: count.nullable(),
})
export type CampaignPreview = z.output<typeof preview>

export const previewCampaign = endpoint({
  method: 'POST',
  path: '/kirim-informasi/campaigns/preview',
  ...campaignAccess,
  summary: 'Whom a campaign would reach, why others are skipped, and five people with their messages',
  reads: true,
  body: draft.omit({ name: true }).extend({
    /**
     * Campaign that this one continues. The preview then counts only recipients of that campaign and of campaigns
     * linked to it by continuations. People whom any of these campaigns has reached are left out.
     */
    parentId: z.uuid().nullable().default(null),
  }),
  rules: campaignProblems,
  response: z.object({ data: preview }),
})

const by = z.object({ name: z.string(), at: time }).nullable()

const campaign = draft.extend({
  id: z.uuid(),
  version: z.int(),
  state: z.enum(campaignStates),
  template: z.object({ name: z.string(), bodyId: z.string(), bodyEn: z.string() }).nullable(),
  sheet: z.object({ id: z.uuid(), fileName: z.string(), rows: count }).nullable(),
  /** Labels and values of the filters in the user's language. */
  audienceWords: z.array(z.object({ label: z.string(), value: z.string() })),
  startsAt: time.nullable(),
  plannedAt: time.nullable(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  pauseReason: z.enum(pauseReasons).nullable(),
  created: by,
  released: by,
  approved: by,
  recipients: count,
  reachable: count,
  /** Failed recipients that a retry would send to. 0 unless the campaign is finished. */
  retryable: count,
  counts: z.array(
    z.object({
      state: z.enum(recipientStates),
      channel: z.enum(channels).nullable(),
      reason: z.string().nullable(),
      people: count,
    }),
  ),
  forecast: forecast.nullable(),
  /** End of quiet hours if they delay the next message of a running campaign; null otherwise. */
  quietUntil: time.nullable(),
  /** When the next recipient of a running campaign is due. Null if that is within a minute or nobody waits. */
  nextAt: time.nullable(),
  parent: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  child: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  needsSecondPerson: z.boolean(),
  /** Steps the user may take now. */
  may: z.array(z.enum([...staffSteps, 'update', 'continue'])),
})
export type Campaign = z.output<typeof campaign>
const answer = z.object({ data: campaign })

export const readCampaign = endpoint({
  method: 'GET',
  path: '/kirim-informasi/campaigns/:id',
  ...campaignAccess,
  summary: 'A campaign with its counts and what the reader may do',
  params: byId,
  response: answer,
})

export const forecastCampaign = endpoint({
  method: 'GET',
  path: '/kirim-informasi/campaigns/:id/forecast',
  ...campaignAccess,
  summary: 'When the last message leaves if the campaign starts at a time, or now',
  params: byId,
  query: z.strictObject({ startsAt: z.iso.datetime({ offset: true }).optional() }),
  response: z.object({ data: forecast.nullable() }),
})

const historyEntry = z.object({
  id: z.int(),
  at: time,
  /** Action as named in the audit log, such as `campaign.plan`. */
  action: z.string(),
  name: z.string(),
  /** Name of the account that the user acted as; null if the user acted as themselves. */
  actingAs: z.string().nullable(),
})

export const campaignHistory = endpoint({
  method: 'GET',
  path: '/kirim-informasi/campaigns/:id/history',
  ...campaignAccess,
  summary: 'Who took which step of a campaign, newest first',
  params: byId,
  response: z.object({ data: z.array(historyEntry) }),
})

export const createCampaign = endpoint({
  method: 'POST',
  path: '/kirim-informasi/campaigns',
  ...campaignAccess,
  summary: 'A new campaign, as a draft',
  body: draft,
  rules: campaignProblems,
  response: answer,
})

export const updateCampaign = endpoint({
  method: 'PUT',
  path: '/kirim-informasi/campaigns/:id',
  ...campaignAccess,
  summary: 'Change a draft; 409 once its recipients are planned',
  params: byId,
  body: draft.extend({ version: rowVersion }),
  rules: campaignProblems,
  response: answer,
})

export const deleteCampaign = endpoint({
  method: 'DELETE',
  path: '/kirim-informasi/campaigns/:id',
  ...campaignAccess,
  summary: 'Delete a draft',
  params: byId,
  query: z.strictObject({ version: z.coerce.number().int() }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

const step = <const S extends string>(path: S, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/kirim-informasi/campaigns/:id/${path}`,
    ...campaignAccess,
    summary,
    params: byId,
    body: z.strictObject({ version: rowVersion }),
    response: answer,
  })

export const planCampaign = step('plan', 'Freeze the recipients of a draft')
export const editCampaign = step('edit', 'Make a campaign a draft again; its recipients are dropped')
export const approveCampaign = step('approve', 'Approve a campaign of another person that is too large for one')
export const pauseCampaign = step('pause', 'Stop sending; takes effect within two seconds')
export const resumeCampaign = step('resume', 'Go on with a paused campaign')
export const retryCampaign = step('retry', 'Send again to those whom the campaign failed to reach')
export const cancelCampaign = step('cancel', 'End a campaign; those not yet written to are skipped')

const schedule = z.strictObject({
  version: rowVersion,
  /** Null starts the campaign as soon as possible. */
  startsAt: z.iso.datetime({ offset: true }).nullable(),
})

export const releaseCampaign = endpoint({
  method: 'POST',
  path: '/kirim-informasi/campaigns/:id/release',
  ...campaignAccess,
  summary: 'Send a planned campaign now or later, or ask a second person where it is too large for one',
  params: byId,
  body: schedule,
  response: answer,
})

export const rescheduleCampaign = endpoint({
  method: 'POST',
  path: '/kirim-informasi/campaigns/:id/reschedule',
  ...campaignAccess,
  summary: 'Change when a campaign starts, until it has started',
  params: byId,
  body: schedule,
  response: answer,
})

export const continueCampaign = endpoint({
  method: 'POST',
  path: '/kirim-informasi/campaigns/:id/continue',
  ...campaignAccess,
  summary:
    'End a paused or finished campaign and make a draft for those it has not reached, so that they get another text',
  params: byId,
  body: z.strictObject({ version: rowVersion }),
  response: answer,
})

export const testCampaign = endpoint({
  method: 'POST',
  path: '/kirim-informasi/campaigns/:id/test',
  ...campaignAccess,
  summary: 'Send the messages of the first example to oneself',
  params: byId,
  body: z.strictObject({ language: z.enum(languages) }),
  response: z.object({
    /** The user's address on each channel of the test; null for the inbox. */
    data: z.object({ to: z.array(z.object({ channel: z.enum(channels), address: z.string().nullable() })) }),
  }),
})

export const campaignSteps = {
  plan: planCampaign,
  edit: editCampaign,
  approve: approveCampaign,
  pause: pauseCampaign,
  resume: resumeCampaign,
  retry: retryCampaign,
  cancel: cancelCampaign,
} as const
