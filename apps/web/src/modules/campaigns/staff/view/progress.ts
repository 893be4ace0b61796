import type { RecipientState, SkipReason } from '#domain/campaigns/campaigns.ts'
import type { Campaign } from '#domain/campaigns/endpoints.ts'

type Counts = readonly Pick<Campaign['counts'][number], 'state' | 'reason' | 'people'>[]

export const peopleIn = (counts: Counts, ...states: readonly RecipientState[]) =>
  counts.reduce((sum, count) => sum + (states.includes(count.state) ? count.people : 0), 0)

/** Skip reasons of recipients who still waited when the campaign was cancelled or continued. */
const cutOff: readonly (string | null)[] = ['cancelled', 'continued'] satisfies SkipReason[]

/** Number of recipients whose message was sent, and of all recipients the campaign should reach. */
export const progressOf = (counts: Counts) => ({
  // Leaves out `failed` and `uncertain`, because those messages may not have been sent.
  sent: peopleIn(counts, 'handed', 'accepted', 'delivered', 'read'),
  // Counts recipients skipped for a reason in `cutOff`, because the campaign should have reached them.
  all: counts.reduce(
    (sum, { state, reason, people }) => sum + (state === 'skipped' && !cutOff.includes(reason) ? 0 : people),
    0,
  ),
})
