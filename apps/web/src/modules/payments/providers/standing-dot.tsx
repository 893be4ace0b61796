import { useTranslation } from 'react-i18next'
import type { ProviderStanding } from '#domain/payments/providers/endpoints.ts'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'

const tones: Record<ProviderStanding, Tone> = {
  inactive: 'stopped',
  unchecked: 'waiting',
  ready: 'done',
  problem: 'attention',
}

export function StandingDot({ standing }: { standing: ProviderStanding }) {
  const { t } = useTranslation('providers')
  return <StatusDot tone={tones[standing]} label={t(`standings.${standing}`)} />
}
