import { useTranslation } from 'react-i18next'
import type { AccountRow } from '#domain/accounts/staff-endpoints.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

const standingOf = ({ active, invited, lockedUntil }: Pick<AccountRow, 'active' | 'invited' | 'lockedUntil'>) =>
  !active ? 'inactive' : invited ? 'invited' : lockedUntil ? 'locked' : 'active'

const tones = { active: 'done', inactive: 'stopped', invited: 'progress', locked: 'attention' } as const

/** State of an account: active, invited, locked or deactivated. */
export function StandingDot({ account }: { account: Pick<AccountRow, 'active' | 'invited' | 'lockedUntil'> }) {
  const { t } = useTranslation('staff-accounts')
  const standing = standingOf(account)
  return <StatusDot tone={tones[standing]} label={t(`status.${standing}`)} />
}

const factorTones = { on: 'done', missing: 'attention', off: 'waiting' } as const

export function TwoFactorDot({ state }: { state: AccountRow['twoFactor'] }) {
  const { t } = useTranslation('staff-accounts')
  return <StatusDot tone={factorTones[state]} label={t(`twoFactor.${state}`)} />
}
