import type { WhatsappProvider } from './provider.ts'

/** The message stays in our own outbox, for demonstrations and tests. */
export const logProvider: WhatsappProvider = { send: async () => ({ providerMessageId: null }) }
