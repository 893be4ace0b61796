/** What follows a problem: the message is given up, tried again after a while, or waits until somebody puts it right. */
export type Remedy = 'give_up' | 'retry' | 'wait'

/**
 * Everything that may stand between a message and its receiver, whoever carries it. Each has its words in
 * `whatsapp:problem`; of a connection, the same words say why it does not work.
 */
export const whatsappProblems = {
  // Of one message: another try would end the same way.
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
  // Of the moment.
  unreachable: 'retry',
  provider_down: 'retry',
  too_fast: 'retry',
  pair_limit: 'retry',
  spam_limit: 'retry',
  connection_lost: 'retry',
  // Of the connection: nothing goes through until it is put right.
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

const minute = 60_000

/** Attempts, the first one included, after which a problem of the moment is no longer taken for one. */
export const maxAttempts = 9

/** How long to wait before the next try: half a minute at first, twice as long each time, at most an hour. */
export const waitAfter = (attempts: number) => Math.min(60 * minute, (minute / 2) * 2 ** Math.max(0, attempts - 1))

/** A message that could not go out for so long is old news. */
export const keepTryingFor = 72 * 60 * minute

const order = ['queued', 'sent', 'delivered', 'read'] as const

/** Whether a report changes what is known of a message: it never goes back, and what arrived has not failed. */
export function isProgress(from: string, to: string): boolean {
  if (to === 'failed') return from === 'queued' || from === 'sent'
  if (from === 'failed') return to === 'delivered' || to === 'read'
  return order.indexOf(to as 'sent') > order.indexOf(from as 'sent')
}
