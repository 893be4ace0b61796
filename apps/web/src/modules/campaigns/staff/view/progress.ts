import type { RecipientState } from '#domain/campaigns/campaigns.ts'
import type { Campaign } from '#domain/campaigns/endpoints.ts'

type Counts = readonly Pick<Campaign['counts'][number], 'state' | 'people'>[]

export const peopleIn = (counts: Counts, ...states: readonly RecipientState[]) =>
  counts.reduce((sum, count) => sum + (states.includes(count.state) ? count.people : 0), 0)

/** People whose message left, of all who are not skipped; failed and uncertain messages may never have left. */
export const progressOf = (counts: Counts) => ({
  sent: peopleIn(counts, 'handed', 'accepted', 'delivered', 'read'),
  all: counts.reduce((sum, { state, people }) => sum + (state === 'skipped' ? 0 : people), 0),
})
