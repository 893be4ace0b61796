/** Order of sending, lowest first. Links and answers are awaited at a screen. */
export const urgencies = { link: 1, answer: 2, moneyOrResult: 3, other: 4 } as const

/** Messages up to this urgency are awaited at a screen. */
export const lastAwaited: number = urgencies.answer

const linkEvents = new Set(['verify-email', 'reset-password', 'change-email', 'account-exists', 'account-invited'])
const resultEvents = new Set(['result-published', 'registration-accepted', 'registration-not-accepted'])

export function urgencyOf(event: string): number {
  if (linkEvents.has(event)) return urgencies.link
  if (event === 'chat-answer') return urgencies.answer
  return resultEvents.has(event) || /^(payment|bill|refund)-/.test(event) ? urgencies.moneyOrResult : urgencies.other
}
