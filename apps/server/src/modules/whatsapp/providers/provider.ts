import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { Outgoing } from '#server/modules/messaging/handovers/claims.ts'

/** `unsure`: the provider may have the message even though the call failed. */
type Problem = { problem: WhatsappProblem; detail?: string; unsure?: true }
export type Handover = { providerMessageId: string | null } | Problem

/** Sends a message by WhatsApp. Expected failures are returned as problems, never thrown. */
export type WhatsappProvider = { send(message: Outgoing): Promise<Handover> }
