/** Milliseconds after a person's last message in which WhatsApp takes free text to that person. */
export const freeTextMs = 24 * 60 * 60_000
