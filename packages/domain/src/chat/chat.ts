export const chatTeams = ['admissions', 'finance'] as const
export type ChatTeam = (typeof chatTeams)[number]

export const chatStates = ['open', 'closed'] as const

/** Boxes of the inbox: unassigned applicants who wait, the reader's own, all open, and all closed conversations. */
export const chatBoxes = ['waiting', 'mine', 'open', 'closed'] as const

export const chatAuthors = ['person', 'staff', 'system'] as const
export const chatKinds = ['text', 'file', 'note', 'event', 'unsupported', 'media'] as const

/** Kinds of the last message, as inbox rows name them. */
export const chatPreviews = ['text', 'photo', 'file', 'unsupported', 'media'] as const

/** Events of a conversation; only staff see them. */
export const chatHappenings = ['taken', 'handed_over', 'returned', 'closed', 'reopened', 'linked', 'joined'] as const
export type ChatHappening = (typeof chatHappenings)[number]

export const longestMessage = 4_000

export const chatFileTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const
export const maxChatFileBytes = 5_000_000

export const replyPlaceholders = ['name', 'university', 'code', 'programme', 'step', 'amount', 'due'] as const
export type ReplyPlaceholder = (typeof replyPlaceholders)[number]

/** How long “… is writing” stays after the last typing signal. */
export const writingMs = 6_000

/** Interval between typing signals from one device. */
export const writingEveryMs = 3_000
