import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'

export type Outgoing = {
  /** Of our own row; comes back in reports, and makes a second try recognisable. */
  id: string
  /** E.164, with its plus. */
  to: string
  language: 'en' | 'id'
  text: string
  /** Name and values under which the provider approved the words. */
  template: { name: string; parameters: string[] } | null
  /** The receiver wrote to us within the last 24 hours. */
  windowOpen: boolean
}

export type Handover = { providerMessageId: string | null } | { problem: WhatsappProblem; detail?: string }

/** Carries a message to WhatsApp. Never throws for what may be expected: that is a problem with a name. */
export type WhatsappProvider = { send(message: Outgoing): Promise<Handover> }
