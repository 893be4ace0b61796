import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { Language } from '#entities/define/language.ts'

export type Outgoing = {
  /** Id of the row in `messages` or of a campaign's handover; reports return it, and it makes a second attempt recognisable. */
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

/** `unsure`: the provider may have the message although it did not say so. */
type Problem = { problem: WhatsappProblem; detail?: string; unsure?: true }
export type Handover = { providerMessageId: string | null } | Problem

/** Sends a message through WhatsApp. Expected failures are returned as problems, never thrown. */
export type WhatsappProvider = { send(message: Outgoing): Promise<Handover> }
