export const chatTeams = ['admissions', 'finance'] as const
export type ChatTeam = (typeof chatTeams)[number]

export const chatStates = ['open', 'closed'] as const

/** Boxes of the staff's inbox: unassigned people who wait, the reader's own, everybody open, and the closed. */
export const chatBoxes = ['waiting', 'mine', 'open', 'closed'] as const

export const chatAuthors = ['person', 'staff', 'system'] as const
export const chatKinds = ['text', 'file', 'note', 'event', 'unsupported', 'media'] as const

/** Kinds of the last message of a conversation, as the list of the inbox names them. */
export const chatPreviews = ['text', 'photo', 'file', 'unsupported', 'media'] as const

/** What happened to a conversation; the staff alone see these. */
export const chatHappenings = ['taken', 'handed_over', 'returned', 'closed', 'reopened', 'linked', 'joined'] as const
export type ChatHappening = (typeof chatHappenings)[number]

export const longestMessage = 4_000

/** Files of a message. */
export const chatFileTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const
export const maxChatFileBytes = 5_000_000

/** Placeholders of a canned reply. */
export const replyPlaceholders = ['name', 'university', 'code', 'programme', 'step', 'amount', 'due'] as const
export type ReplyPlaceholder = (typeof replyPlaceholders)[number]

/** Milliseconds that "… is writing" is shown after the last key. */
export const writingMs = 6_000

/** Milliseconds between two signs of writing from one device. */
export const writingEveryMs = 3_000
