import type { WhatsappProvider } from './provider.ts'

/** Sends nothing: the message stays in the product's outbox, for demonstrations and tests. */
export const logProvider: WhatsappProvider = { send: async () => ({ providerMessageId: null }) }
