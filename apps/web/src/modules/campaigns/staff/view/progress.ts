import type { RecipientState, SkipReason } from '#domain/campaigns/campaigns.ts'
import type { Campaign } from '#domain/campaigns/endpoints.ts'

type Counts = readonly Pick<Campaign['counts'][number], 'state' | 'reason' | 'people'>[]

export const peopleIn = (counts: Counts, ...states: readonly RecipientState[]) =>
  counts.reduce((sum, count) => sum + (states.includes(count.state) ? count.people : 0), 0)

/** Skip reasons of recipients whose message was still waiting when the campaign was cancelled or continued. */
const cutOff: readonly (string | null)[] = ['cancelled', 'continued'] satisfies SkipReason[]

/**
 * `sent` counts recipients whose message left; failed and uncertain messages may not have left. `all` leaves out skipped
 * recipients, except those skipped because the campaign was cancelled or continued.
 */
export const progressOf = (counts: Counts) => ({
  sent: peopleIn(counts, 'handed', 'accepted', 'delivered', 'read'),
  all: counts.reduce(
    (sum, { state, reason, people }) => sum + (state === 'skipped' && !cutOff.includes(reason) ? 0 : people),
    0,
  ),
})
