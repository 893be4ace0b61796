import type { RecipientState, SkipReason } from '#domain/campaigns/campaigns.ts'
import type { Campaign } from '#domain/campaigns/endpoints.ts'

type Counts = readonly Pick<Campaign['counts'][number], 'state' | 'reason' | 'people'>[]

export const peopleIn = (counts: Counts, ...states: readonly RecipientState[]) =>
  counts.reduce((sum, count) => sum + (states.includes(count.state) ? count.people : 0), 0)

/** Reasons of people who were to have a message when the campaign ended. */
const cutOff: readonly (string | null)[] = ['cancelled', 'continued'] satisfies SkipReason[]

/**
 * People whose message left, of all who were to have one; failed and uncertain messages may never have left, and those
 * of a campaign that was cancelled or continued never did.
 */
export const progressOf = (counts: Counts) => ({
  sent: peopleIn(counts, 'handed', 'accepted', 'delivered', 'read'),
  all: counts.reduce(
    (sum, { state, reason, people }) => sum + (state === 'skipped' && !cutOff.includes(reason) ? 0 : people),
    0,
  ),
})
