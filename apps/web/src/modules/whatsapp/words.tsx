import { useTranslation } from 'react-i18next'
import { isWhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { WhatsappStanding } from '#domain/whatsapp/standing.ts'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'

const tones: Record<WhatsappStanding, Tone> = {
  ready: 'done',
  inactive: 'stopped',
  off: 'waiting',
  unchecked: 'waiting',
  connecting: 'progress',
  pairing: 'attention',
  retrying: 'attention',
  problem: 'stopped',
}

export function StandingDot({ standing }: { standing: WhatsappStanding }) {
  const { t } = useTranslation('whatsapp')
  return <StatusDot tone={tones[standing]} label={t(`standings.${standing}`)} />
}

/** Returns the sentence for a problem; an unknown code is shown unchanged. */
export function useProblemWords() {
  const { t } = useTranslation('whatsapp')
  return (problem: string) => (isWhatsappProblem(problem) ? t(`problem.${problem}`) : problem)
}
