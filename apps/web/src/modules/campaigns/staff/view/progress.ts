import type { RecipientState, SkipReason } from '#domain/campaigns/campaigns.ts'
import type { Campaign } from '#domain/campaigns/endpoints.ts'

type Counts = readonly Pick<Campaign['counts'][number], 'state' | 'reason' | 'people'>[]

export const peopleIn = (counts: Counts, ...states: readonly RecipientState[]) =>
  counts.reduce((sum, count) => sum + (states.includes(count.state) ? count.people : 0), 0)

/** Skip reasons of recipients who were still waiting when the campaign ended. */
const cutOff: readonly (string | null)[] = ['cancelled', 'continued'] satisfies SkipReason[]

/**
 * `sent`: recipients whose message left. Failed and uncertain messages may not have left and do not count. `all`
 * includes recipients whom a cancelled or continued campaign no longer reached.
 */
export const progressOf = (counts: Counts) => ({
  sent: peopleIn(counts, 'handed', 'accepted', 'delivered', 'read'),
  all: counts.reduce(
    (sum, { state, reason, people }) => sum + (state === 'skipped' && !cutOff.includes(reason) ? 0 : people),
    0,
  ),
})
