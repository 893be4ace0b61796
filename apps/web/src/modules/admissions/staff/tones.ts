import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

/** Colours for staff: amber marks a registration that waits for staff. */
export const statusTone: Record<RegistrationStatus, Tone> = {
  draft: 'waiting',
  submitted: 'waiting',
  paid: 'attention',
  verified: 'attention',
  decided: 'progress',
  confirmed: 'progress',
  enrolled: 'done',
  withdrawn: 'stopped',
  cancelled: 'stopped',
  expired: 'stopped',
}

export const resultTone: Record<ShownResult, Tone> = { waiting: 'waiting', accepted: 'done', not_accepted: 'stopped' }

export const documentsTone: Record<string, Tone> = {
  missing: 'waiting',
  to_review: 'attention',
  rejected: 'stopped',
  complete: 'done',
}
