import type { FeederOutcome, FeederState } from '#domain/students/feeder/lists.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const stateTones: Record<FeederState, Tone> = {
  ready: 'progress',
  incomplete: 'attention',
  waiting: 'waiting',
  sent: 'done',
  refused: 'stopped',
}

export const outcomeTones: Record<FeederOutcome, Tone> = {
  sent: 'done',
  found: 'done',
  refused: 'stopped',
  contradicts: 'attention',
  incomplete: 'attention',
  unavailable: 'waiting',
}
