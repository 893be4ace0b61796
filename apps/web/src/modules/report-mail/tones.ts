import type { mailOutcomes, mailStates, runStates } from '#domain/report-mail/lists.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const outcomeTones: Record<(typeof mailOutcomes)[number], Tone> = {
  none: 'waiting',
  waiting: 'progress',
  sent: 'done',
  empty: 'done',
  refused: 'attention',
  failed: 'stopped',
}

export const runTones: Record<(typeof runStates)[number], Tone> = {
  waiting: 'progress',
  sent: 'done',
  empty: 'waiting',
  refused: 'attention',
  failed: 'stopped',
}

export const stateTones: Record<(typeof mailStates)[number], Tone> = { active: 'done', paused: 'waiting' }
