export const chatTeams = ['admissions', 'finance'] as const
export type ChatTeam = (typeof chatTeams)[number]

export const chatStates = ['open', 'closed'] as const

/**
 * Boxes of the inbox. `waiting` has unassigned conversations that wait for an answer, and `mine` open conversations
 * assigned to the reader.
 */
export const chatBoxes = ['waiting', 'mine', 'open', 'closed'] as const

export const chatAuthors = ['person', 'staff', 'system'] as const
export const chatKinds = ['text', 'file', 'note', 'event', 'unsupported', 'media'] as const

/** Kinds of last message in an inbox row. `photo` is a file that is an image. */
export const chatPreviews = ['text', 'photo', 'file', 'unsupported', 'media'] as const

/** Events in a conversation. Applicants do not see them. */
export const chatHappenings = ['taken', 'handed_over', 'returned', 'closed', 'reopened', 'linked', 'joined'] as const
export type ChatHappening = (typeof chatHappenings)[number]

export const longestMessage = 4_000

export const chatFileTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const
export const maxChatFileBytes = 5_000_000

export const replyPlaceholders = ['name', 'university', 'code', 'programme', 'step', 'amount', 'due'] as const
export type ReplyPlaceholder = (typeof replyPlaceholders)[number]

/** How long “… is writing” stays on screen after the last typing signal, unless a message arrives first. */
export const writingMs = 6_000

/** Shortest interval between two typing signals. */
export const writingEveryMs = 3_000
