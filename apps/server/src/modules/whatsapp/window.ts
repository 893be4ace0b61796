/** Milliseconds after a user's last message during which Meta accepts free text to that user. */
export const freeTextMs = 24 * 60 * 60_000
