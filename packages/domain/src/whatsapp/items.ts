/** Items in a webhook notice from Meta: a user's message, a report about one of our messages, or anything else. */
export const whatsappItemKinds = ['message', 'status', 'notice'] as const
export type WhatsappItemKind = (typeof whatsappItemKinds)[number]

/**
 * Why an item was not processed; each has a sentence under `health:whatsapp.problem`. `failed` is an error on our side.
 */
export const whatsappItemProblems = ['unreadable', 'no_sender', 'unknown_status', 'other_number', 'failed'] as const
export type WhatsappItemProblem = (typeof whatsappItemProblems)[number]
