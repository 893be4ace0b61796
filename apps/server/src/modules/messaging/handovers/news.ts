import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { Database } from '#server/platform/database/database.ts'
import { cutText } from '#server/platform/read-answer.ts'
import type { SuppressionReason } from './suppress-addresses.ts'

/** What follows a failure: another try on the same channel, the recipient's next channel, or nothing. */
export type Consequence = 'again' | 'next' | 'end'

export type HandoverState = Database['handovers']['state']

/**
 * A new fact about a handover. `returned`: the message never went out and may be claimed again; `words` say why the
 * channel does not work, and are missing if no call began.
 */
export type News = { id: string; at: Date } & (
  | { state: 'accepted' | 'delivered' | 'read' | 'uncertain'; providerMessageId?: string | null }
  | {
      state: 'failed'
      reason: string
      detail?: string | null
      consequence: Consequence
      suppress?: SuppressionReason
      providerMessageId?: string | null
    }
  | { state: 'returned'; words?: string; problem?: WhatsappProblem | undefined }
)

/** A locked handover; `address` belongs to its recipient or message. */
export type LockedHandover = {
  id: string
  channel: Database['handovers']['channel']
  address: string | null
  state: HandoverState
}

/** Combined result of the news of a handover. `latest` is missing if the state does not change. */
export type Outcome = { state: HandoverState; latest: News | undefined; providerMessageId: string | null }

/** Change of a row of `handovers`. Without `at`, only the provider's message id is new. */
export type ChangedHandover = {
  id: string
  state: HandoverState
  provider_message_id: string | null
  reason: string | null
  detail: string | null
  due_at: Date | null
  at: Date | null
}

/** The channel's words, cut to the 300 characters that the column takes. */
export const detailOf = ({ detail }: { detail?: string | null }) => (detail ? cutText(detail, 300) : null)

/** The change of a handover for an outcome; undefined if nothing is new. */
export function changedHandover(
  { id }: LockedHandover,
  { state, latest, providerMessageId }: Outcome,
): ChangedHandover | undefined {
  if (!latest && !providerMessageId) return undefined
  return {
    ...{ id, state, provider_message_id: providerMessageId, due_at: null },
    reason: latest?.state === 'failed' ? latest.reason : null,
    detail: latest?.state === 'failed' ? detailOf(latest) : null,
    at: latest?.at ?? null,
  }
}
