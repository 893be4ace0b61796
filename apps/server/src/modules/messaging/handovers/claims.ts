import type { Language } from '#entities/define/language.ts'
import type { Mail } from '#server/platform/mail.ts'

const minuteMs = 60_000

/** How long a mail server or a linked phone may take to answer. After that, the calling process counts as dead. */
export const leaseMs = 5 * minuteMs
/** Meta reports the outcome of a message. Without a report for an hour, the outcome is uncertain. */
export const reportedLeaseMs = 60 * minuteMs

/** A WhatsApp message to send. */
export type Outgoing = {
  /** Id of the handover. Reports return the id, and repeated attempts have the same one. */
  id: string
  /** E.164 with the plus sign, or the receiver's user id at Meta. */
  to: string
  language: Language
  text: string
  /** Name and values of the template the provider approved. */
  template: { name: string; parameters: string[] } | null
  /** The receiver wrote within the last 24 hours. */
  windowOpen: boolean
}

export type Connection = { id: string; kind: 'cloud' | 'device' | 'log' }

/** Data of a claimed message that is used after the claiming transaction. */
export type ClaimedMessage = { accountId: string | null; fileId: string | null; needsPermission: string | null }

/** A handover that this process has claimed. `ofMessage` is missing for campaign recipients. */
export type Claim = { handoverId: string; language: Language; ofMessage?: ClaimedMessage } & (
  | { channel: 'email'; mail: Mail }
  | { channel: 'whatsapp'; message: Outgoing }
)

export type Claims = {
  claims: Claim[]
  /** Recipients or messages considered; 0 if none is due. */
  seen: number
  /** Milliseconds until more may be claimed; 0 for at once. */
  waitMs: number
}
