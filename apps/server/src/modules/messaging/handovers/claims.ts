import type { Language } from '#entities/define/language.ts'
import type { Mail } from '#server/platform/mail.ts'

const minuteMs = 60_000

/** An answer of the mail server or of a phone comes within this time, or the process that waits for it is dead. */
export const leaseMs = 5 * minuteMs
/** Meta says by its report what became of a message; one that it says nothing of in an hour is uncertain. */
export const reportedLeaseMs = 60 * minuteMs

/** A message of WhatsApp. */
export type Outgoing = {
  /** Id of the handover; reports return it, and it makes a second attempt recognisable. */
  id: string
  /** E.164 with the plus, or the person's user id at Meta. */
  to: string
  language: Language
  text: string
  /** Name and values of the template the provider approved. */
  template: { name: string; parameters: string[] } | null
  /** The receiver wrote within the last 24 hours. */
  windowOpen: boolean
}

export type Connection = { id: string; kind: 'cloud' | 'device' | 'log' }

/** What a claimed message needs outside of the transaction that claims it. */
export type ClaimedMessage = { accountId: string | null; fileId: string | null; needsPermission: string | null }

/** A handover that this process has claimed. `ofMessage` is missing for a recipient of a campaign. */
export type Claim = { handoverId: string; language: Language; ofMessage?: ClaimedMessage } & (
  | { channel: 'email'; mail: Mail }
  | { channel: 'whatsapp'; message: Outgoing }
)

export type Claims = {
  claims: Claim[]
  /** Recipients or messages looked at; 0 where none is due. */
  seen: number
  /** Milliseconds until more may go; 0 for at once. */
  waitMs: number
}
