import { useTranslation } from 'react-i18next'
import type { HealthState } from '#domain/health/lines.ts'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'

const tones: Record<HealthState, Tone> = { ok: 'done', soon: 'attention', red: 'stopped' }

export function StateDot({ state }: { state: HealthState }) {
  const { t } = useTranslation('health')
  return <StatusDot tone={tones[state]} label={t(`states.${state}`)} />
}
