import type { ScanOutcome, VisitorState } from './events.ts'

type Scanned = { state: VisitorState; sessionId: string }
type Circumstances = {
  kind: 'arrive' | 'cancel'
  /** Session being checked in. */
  sessionId: string
  /** Whether the visitor is checked in here. */
  isIn: boolean
  /** Whether staff override a refusal. */
  forced: boolean
}

/** Result of a scan. Shared by server and device; an offline device uses the list it has. */
export function judgeScan(visitor: Scanned | undefined, { kind, sessionId, isIn, forced }: Circumstances): ScanOutcome {
  if (!visitor) return 'unknown_ticket'
  if (visitor.state === 'cancelled' && !forced) return 'cancelled'
  if (visitor.sessionId !== sessionId && !forced && !isIn) return 'other_session'
  return kind === 'arrive' && isIn ? 'repeated' : 'recorded'
}
