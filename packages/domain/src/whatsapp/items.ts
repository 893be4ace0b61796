/** Kinds of items in a notice of Meta: a person's message, a report about a message of ours, and a notice without either. */
export const whatsappItemKinds = ['message', 'status', 'notice'] as const
export type WhatsappItemKind = (typeof whatsappItemKinds)[number]

/** Why an item is not understood; each has a sentence under `health:whatsapp.problem`. `failed` is an error of our own. */
export const whatsappItemProblems = ['unreadable', 'no_sender', 'unknown_status', 'other_number', 'failed'] as const
export type WhatsappItemProblem = (typeof whatsappItemProblems)[number]
