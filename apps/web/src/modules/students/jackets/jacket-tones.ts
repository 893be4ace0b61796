import type { JacketState } from '#domain/students/jackets/jackets.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const jacketTones: Record<JacketState, Tone> = {
  no_size: 'attention',
  waiting: 'waiting',
  held: 'done',
  returned: 'stopped',
}
