import type { WorkbookStatus } from '#domain/workbook/status.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const toneOf: Record<WorkbookStatus, Tone> = {
  checking: 'progress',
  checked: 'attention',
  running: 'progress',
  done: 'done',
  undone: 'waiting',
  failed: 'stopped',
}
