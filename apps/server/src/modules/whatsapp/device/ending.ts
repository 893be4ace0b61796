import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { ConnectionUpdate } from './socket.ts'

export type Ending =
  /** WhatsApp asks for a new connection, as it does after every pairing. */
  | { next: 'reopen' }
  | { next: 'retry'; problem: WhatsappProblem; detail: string | null }
  /** Nothing to do until somebody presses a button; `forget`: the session is worth nothing any more. */
  | { next: 'stop'; problem: WhatsappProblem; forget: boolean }

const stops: Record<number, { problem: WhatsappProblem; forget: boolean }> = {
  401: { problem: 'logged_out', forget: true },
  403: { problem: 'blocked', forget: false },
  411: { problem: 'mismatch', forget: true },
  440: { problem: 'replaced', forget: false },
  500: { problem: 'bad_session', forget: true },
}
const restart = 515

const isNetworkCode = (code: unknown) =>
  typeof code === 'string' && /^(E[A-Z_]+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO\w*|SELF_SIGNED\w*)$/.test(code)

/** What the end of a connection means. While it was being paired there is nothing to go back to. */
export function endingOf(error: NonNullable<ConnectionUpdate['lastDisconnect']>['error'], pairing: boolean): Ending {
  const status = error?.output?.statusCode
  if (status === restart) return { next: 'reopen' }
  if (pairing) return { next: 'stop', problem: 'scan_timed_out', forget: true }
  const stop = status === undefined ? undefined : stops[status]
  if (stop) return { next: 'stop', ...stop }
  const code = error?.data?.code
  if (isNetworkCode(code)) return { next: 'retry', problem: 'unreachable', detail: code! }
  return { next: 'retry', problem: 'connection_lost', detail: status ? String(status) : null }
}

const second = 1_000

/** Waits between tries: five seconds at first, twice as long each time, at most ten minutes. */
export const backoff = (failures: number) => Math.min(600 * second, 5 * second * 2 ** Math.max(0, failures - 1))
