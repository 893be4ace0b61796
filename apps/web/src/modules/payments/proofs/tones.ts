import type { ProofState } from '#domain/payments/proofs/endpoints.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const proofTone = { open: 'progress', matched: 'done', refused: 'attention' } as const satisfies Record<
  ProofState,
  Tone
>
