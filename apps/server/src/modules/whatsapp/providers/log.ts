import type { WhatsappProvider } from './provider.ts'

/** Sends nothing: messages stay in the built-in outbox, for demonstrations and tests. */
export const logProvider: WhatsappProvider = { send: async () => ({ providerMessageId: null }) }
