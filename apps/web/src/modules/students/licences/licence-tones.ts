import type { LicenceState, LicenceValidity } from '#domain/students/licences/validity.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const stateTones: Record<LicenceState, Tone> = {
  no_scan: 'waiting',
  uploaded: 'attention',
  approved: 'done',
  rejected: 'stopped',
}

export const validityTones: Record<LicenceValidity, Tone> = { expired: 'stopped', soon: 'attention', valid: 'done' }
