import { useTranslation } from 'react-i18next'
import type { StaffSessionState } from '#domain/testing/sessions/session-states.ts'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'

const toneOf: Record<StaffSessionState, Tone> = {
  open: 'progress',
  full: 'done',
  not_yet: 'waiting',
  closed: 'done',
  over: 'waiting',
  cancelled: 'stopped',
  inactive: 'waiting',
}

export function SessionState({ state }: { state: StaffSessionState }) {
  const { t } = useTranslation('test-sessions')
  return <StatusDot tone={toneOf[state]} label={t(`state.${state}`)} />
}
