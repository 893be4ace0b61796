import { listRegistrations } from '#domain/admissions/lists.ts'
import {
  type Audience,
  type Channel,
  channelsOf,
  needsTexts,
  placeholdersOfAudience,
  purposesOf,
  type Texts,
  textFields,
} from '#domain/campaigns/campaigns.ts'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import type { Screen } from '#domain/campaigns/screens.ts'
import { listLeads } from '#domain/leads/lists.ts'
import type { FiltersOf } from '#domain/list.ts'
import { unknownPlaceholderIn } from '#domain/messaging/placeholders.ts'

/** Filters that the URL may set for each audience. */
const filterKeys: Record<Audience, readonly string[]> = {
  registrations: ['q', ...Object.keys(listRegistrations.filters)],
  leads: ['q', ...Object.keys(listLeads.filters)],
  visitors: ['eventId', 'sessionId', 'state'],
  schools: ['provinceId', 'schoolTypeId'],
  affiliates: ['kind'],
  sheet: [],
}

/** Filters of a new campaign. Registrations start with the current waves, because their list holds all years. */
const firstFilters = (audience: Audience): CampaignDraft['filters'] =>
  audience === 'registrations' ? ({ queue: 'current' } satisfies FiltersOf<typeof listRegistrations>) : {}

export const emptyDraft = ({ audiences: [audience] }: Pick<Screen, 'audiences'>): CampaignDraft => ({
  name: '',
  audience,
  filters: firstFilters(audience),
  sheetId: null,
  purpose: purposesOf[audience][0],
  ignoresQuietHours: false,
  channels: [...channelsOf[audience]],
  subjectId: '',
  subjectEn: '',
  bodyId: '',
  bodyEn: '',
  templateId: null,
})

/**
 * Switches the draft to another audience. Drops filters and template, and a purpose or channels that the audience does
 * not have.
 */
export function withAudience(draft: CampaignDraft, audience: Audience): CampaignDraft {
  const purposes: readonly string[] = purposesOf[audience]
  const offered: readonly Channel[] = channelsOf[audience]
  const channels = draft.channels.filter((channel) => offered.includes(channel))
  return {
    ...draft,
    audience,
    filters: {},
    templateId: null,
    ...(!purposes.includes(draft.purpose) && { purpose: purposesOf[audience][0], ignoresQuietHours: false }),
    channels: channels.length > 0 ? channels : [...offered],
  }
}

/**
 * Reads the audience and filters that another page, such as the list of leads, put into the URL. Null if there are
 * none.
 */
export function audienceIn(search: string, { audiences }: Pick<Screen, 'audiences'>) {
  const params = new URLSearchParams(search)
  const audience = audiences.find((name) => name === params.get('audience')) ?? audiences[0]
  const filters = Object.fromEntries(
    filterKeys[audience].flatMap((key) => {
      const value = params.get(key)
      return value ? [[key, value]] : []
    }),
  )
  return params.has('audience') || Object.keys(filters).length > 0 ? { audience, filters } : null
}

/** Finds the first unknown placeholder of each text field. */
export const unknownPlaceholders = (draft: Omit<CampaignDraft, 'name'>, columns: readonly string[]) =>
  textFields.flatMap((field) => {
    const detail = unknownPlaceholderIn(draft[field], placeholdersOfAudience(draft.audience, columns))
    return detail ? [{ field, detail }] : []
  })

/**
 * Request body of the preview. A dash replaces a text that is empty or has an unknown placeholder, because recipients
 * are counted before the texts are written.
 */
export function previewQuestion({ name: _name, ...draft }: CampaignDraft, columns: readonly string[]) {
  const wrong = new Set<string>(unknownPlaceholders(draft, columns).map(({ field }) => field))
  const texts = Object.fromEntries(
    textFields.map((field) => [field, draft[field].trim() === '' || wrong.has(field) ? '-' : draft[field]]),
  ) as Texts
  const isComplete =
    !needsTexts(draft.channels, draft.templateId !== null) || textFields.every((field) => texts[field] !== '-')
  const isReady =
    draft.channels.length > 0 &&
    (draft.audience !== 'sheet' || draft.sheetId !== null) &&
    (draft.audience !== 'visitors' || Boolean(draft.filters.eventId))
  return { body: { ...draft, ...texts }, isComplete, isReady }
}
