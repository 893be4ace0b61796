import type { ScanOutcome, VisitorState } from './events.ts'

type Scanned = { state: VisitorState; sessionId: string }
type Circumstances = {
  kind: 'arrive' | 'cancel'
  /** Session whose door this is. */
  sessionId: string
  /** The visitor is checked in here. */
  isIn: boolean
  /** Staff let the visitor in. */
  forced: boolean
}

/** Outcome of a scan; server and phone judge alike, the phone without network by the list it has. */
export function judgeScan(visitor: Scanned | undefined, { kind, sessionId, isIn, forced }: Circumstances): ScanOutcome {
  if (!visitor) return 'unknown_ticket'
  if (visitor.state === 'cancelled' && !forced) return 'cancelled'
  if (visitor.sessionId !== sessionId && !forced && !isIn) return 'other_session'
  return kind === 'arrive' && isIn ? 'repeated' : 'recorded'
}

export const countsAsCheckIn = (outcome: ScanOutcome) => outcome === 'recorded' || outcome === 'repeated'
