import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { ConnectionUpdate } from './socket.ts'

export type Ending =
  /** WhatsApp asks for a new connection, as after every pairing. */
  | { next: 'reopen' }
  | { next: 'retry'; problem: WhatsappProblem; detail: string | null }
  /** Stops until a user connects again; `forget` means that the session is no longer valid. */
  | { next: 'stop'; problem: WhatsappProblem; forget: boolean }

const finalEndings: Record<number, { problem: WhatsappProblem; forget: boolean }> = {
  401: { problem: 'logged_out', forget: true },
  403: { problem: 'blocked', forget: false },
  411: { problem: 'mismatch', forget: true },
  440: { problem: 'replaced', forget: false },
  500: { problem: 'bad_session', forget: true },
}
const restartStatus = 515

const isNetworkCode = (code: unknown): code is string =>
  typeof code === 'string' && /^(E[A-Z_]+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO\w*|SELF_SIGNED\w*)$/.test(code)

/** Reaction to a closed connection. During pairing there is no session to reconnect with. */
export function endingOf(error: NonNullable<ConnectionUpdate['lastDisconnect']>['error'], pairing: boolean): Ending {
  const status = error?.output?.statusCode
  if (status === restartStatus) return { next: 'reopen' }
  if (pairing) return { next: 'stop', problem: 'scan_timed_out', forget: true }
  const finalEnding = status === undefined ? undefined : finalEndings[status]
  if (finalEnding) return { next: 'stop', ...finalEnding }
  const code = error?.data?.code
  if (isNetworkCode(code)) return { next: 'retry', problem: 'unreachable', detail: code }
  return { next: 'retry', problem: 'connection_lost', detail: status ? String(status) : null }
}

const secondMs = 1_000

/** Milliseconds between attempts: 5 seconds, doubling up to 10 minutes. */
export const backoffMs = (failures: number) => Math.min(600 * secondMs, 5 * secondMs * 2 ** Math.max(0, failures - 1))
