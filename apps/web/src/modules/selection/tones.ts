import type { SelectionOutcome, SelectionStatus } from '#domain/selection/rules.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const statusTones: Record<SelectionStatus, Tone> = {
  computing: 'progress',
  computed: 'waiting',
  adopting: 'progress',
  adopted: 'done',
  failed: 'stopped',
}

export const outcomeTones: Record<SelectionOutcome, Tone> = {
  placed: 'done',
  held: 'done',
  kept: 'done',
  reserve: 'progress',
  full: 'stopped',
  earlier_choice: 'waiting',
  below_minimum: 'stopped',
  no_score: 'stopped',
  blocked: 'attention',
  excluded: 'stopped',
}

export const isBusy = (status: SelectionStatus) => status === 'computing' || status === 'adopting'
