import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { Database } from '#server/platform/database/database.ts'
import { cutText } from '#server/platform/read-answer.ts'
import type { SuppressionReason } from './suppress-addresses.ts'

/** What follows a failure: another try on the same channel, a recipient's next channel, or nothing. */
export type Consequence = 'again' | 'next' | 'end'

export type HandoverState = Database['handovers']['state']

/**
 * What became known of a handover. `returned`: it never went out, and anybody may claim it again; `words` say why the
 * channel does not work, and are missing where no call began.
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

/** A locked handover; `address` is that of its recipient or message. */
export type LockedHandover = {
  id: string
  channel: Database['handovers']['channel']
  address: string | null
  state: HandoverState
}

/** What the news of a handover come to. `latest` is missing where they change nothing. */
export type Outcome = { state: HandoverState; latest: News | undefined; providerMessageId: string | null }

/** Change of a row of `handovers`. Without `at`, its provider's id alone became known. */
export type ChangedHandover = {
  id: string
  state: HandoverState
  provider_message_id: string | null
  reason: string | null
  detail: string | null
  due_at: Date | null
  at: Date | null
}

/** Words of the channel as the columns hold them: no word of a server may keep answers from being recorded. */
export const detailOf = ({ detail }: { detail?: string | null }) => (detail ? cutText(detail, 300) : null)

/** The row of `handovers` for an outcome; undefined where nothing became known. */
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
