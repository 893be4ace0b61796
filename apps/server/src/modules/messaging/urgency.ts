/** Order in which messages leave; campaigns come after all of them. Somebody waits at a screen for links and answers. */
export const urgencies = { link: 1, answer: 2, moneyOrResult: 3, other: 4 } as const

/** The last urgency of messages that somebody waits for at a screen. */
export const lastAwaited: number = urgencies.answer

const linkEvents = new Set(['verify-email', 'reset-password', 'change-email', 'account-exists', 'account-invited'])
const resultEvents = new Set(['result-published', 'registration-accepted', 'registration-not-accepted'])

export function urgencyOf(event: string): number {
  if (linkEvents.has(event)) return urgencies.link
  if (event === 'chat-answer') return urgencies.answer
  return resultEvents.has(event) || /^(payment|bill|refund)-/.test(event) ? urgencies.moneyOrResult : urgencies.other
}
