import { z } from 'zod'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { affiliateKinds } from '#domain/affiliates/affiliates.ts'
import type { Audience } from '#domain/campaigns/campaigns.ts'
import { visitorStates } from '#domain/events/events.ts'
import { listLeads } from '#domain/leads/lists.ts'
import type { AnyList } from '#domain/list.ts'
import { invalid } from '#server/platform/errors.ts'

export type FilterValues = Readonly<Record<string, string>>

/** Lists whose filters select an audience. An audience without a list has `ownFilters`. */
export const listOfAudience: Partial<Record<Audience, AnyList>> = {
  registrations: listRegistrations,
  leads: listLeads,
}

/** Filters of audiences without a list. */
export const ownFilters = {
  sheet: z.strictObject({}),
  visitors: z.strictObject({
    eventId: z.uuid(),
    sessionId: z.uuid().optional(),
    state: z.enum(visitorStates).optional(),
  }),
  schools: z.strictObject({ provinceId: z.uuid().optional(), schoolTypeId: z.uuid().optional() }),
  affiliates: z.strictObject({ kind: z.enum(affiliateKinds).optional() }),
} as const

type OwnAudience = keyof typeof ownFilters

const pagingKeys = ['page', 'per_page', 'after', 'sort']

function refusalOf(error: z.ZodError, filters: FilterValues) {
  const issue = error.issues[0]!
  const name = issue.code === 'unrecognized_keys' ? String(issue.keys[0]) : String(issue.path[0] ?? '')
  const code =
    issue.code === 'unrecognized_keys'
      ? ('campaign_filter_unknown' as const)
      : filters[name] === undefined
        ? ('campaign_filter_needed' as const)
        : ('campaign_filter_value' as const)
  return invalid({ filters: { code, params: { name } } })
}

/** Parses filters with the list's query schema. 422 if a filter is unknown or has a wrong value. */
export function parseListFilters<L extends AnyList>(list: L, filters: FilterValues) {
  const unknownName = Object.keys(filters).find((name) => pagingKeys.includes(name))
  if (unknownName) throw invalid({ filters: { code: 'campaign_filter_unknown', params: { name: unknownName } } })
  const result = list.query.safeParse(filters)
  if (!result.success) throw refusalOf(result.error as z.ZodError, filters)
  const { page: _page, per_page: _perPage, after: _after, sort, ...rest } = result.data as Record<string, unknown>
  return { filters: rest, sort: String(sort) }
}

/** Parses filters of an audience without a list. 422 if a filter is unknown, missing or has a wrong value. */
export function parseOwnFilters<A extends OwnAudience>(audience: A, filters: FilterValues) {
  const result = ownFilters[audience].safeParse(filters)
  if (!result.success) throw refusalOf(result.error, filters)
  return result.data as z.output<(typeof ownFilters)[A]>
}
