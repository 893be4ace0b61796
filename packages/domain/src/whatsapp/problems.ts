/** Reaction to a problem: give the message up, retry after a while, or wait until staff fix the connection. */
export type Remedy = 'give_up' | 'retry' | 'wait'

/** Problems of messages and connections, for all providers. Each has a sentence in `whatsapp:problem`. */
export const whatsappProblems = {
  // Problems of a message: a retry would fail the same way.
  outside_window: 'give_up',
  undeliverable: 'give_up',
  not_on_whatsapp: 'give_up',
  not_allowed_recipient: 'give_up',
  same_number: 'give_up',
  opted_out: 'give_up',
  held_back: 'give_up',
  template_missing: 'give_up',
  template_parameters: 'give_up',
  template_too_long: 'give_up',
  template_paused: 'give_up',
  rejected: 'give_up',
  too_old: 'give_up',
  interrupted: 'give_up',
  // Temporary problems.
  unreachable: 'retry',
  provider_down: 'retry',
  too_fast: 'retry',
  pair_limit: 'retry',
  spam_limit: 'retry',
  connection_lost: 'retry',
  // Problems of the connection: no message goes out until staff fix it.
  no_connection: 'wait',
  inactive: 'wait',
  not_connected: 'wait',
  credentials: 'wait',
  credentials_missing: 'wait',
  credentials_unreadable: 'wait',
  permission: 'wait',
  wrong_number_id: 'wait',
  not_registered: 'wait',
  payment: 'wait',
  blocked: 'wait',
  restricted: 'wait',
  logged_out: 'wait',
  replaced: 'wait',
  bad_session: 'wait',
  mismatch: 'wait',
  scan_timed_out: 'wait',
} as const satisfies Record<string, Remedy>

export type WhatsappProblem = keyof typeof whatsappProblems

export const isWhatsappProblem = (code: string | null): code is WhatsappProblem =>
  code !== null && Object.hasOwn(whatsappProblems, code)

const minuteMs = 60_000

/** Attempts, including the first, before a temporary problem is final. */
export const maxAttempts = 9

/** Milliseconds until the next attempt: 30 seconds, doubling up to an hour. */
export const retryWaitMs = (attempts: number) =>
  Math.min(60 * minuteMs, (minuteMs / 2) * 2 ** Math.max(0, attempts - 1))

/** Milliseconds after which an unsent message is given up. */
export const keepTryingMs = 72 * 60 * minuteMs

const order = ['queued', 'sent', 'delivered', 'read'] as const

/** Whether a report changes the status. A delivered message cannot fail, but a failed one can turn out delivered. */
export function isProgress(status: string, reported: string): boolean {
  if (reported === 'failed') return status === 'queued' || status === 'sent'
  if (status === 'failed') return reported === 'delivered' || reported === 'read'
  return order.indexOf(reported as 'sent') > order.indexOf(status as 'sent')
}
