import type { ScoreImportStatus } from '#domain/scores/status.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const toneOf: Record<ScoreImportStatus, Tone> = {
  uploaded: 'attention',
  checked: 'attention',
  done: 'done',
  undone: 'waiting',
}

const format = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 4 })

/** A score with its decimals, at most four. */
export const scoreText = (score: number | null) => (score === null ? '' : format.format(score))
