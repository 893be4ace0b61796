import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type AccountDetail, deactivateAccount, reactivateAccount } from '#domain/accounts/staff-endpoints.ts'
import { useSend } from '#web/api/send.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useAccountActions } from './use-account-actions.ts'

/** Puts the account aside, or takes it back. */
export function StandingButton({ account }: { account: AccountDetail }) {
  const deactivate = useSend(deactivateAccount)
  const reactivate = useSend(reactivateAccount)
  const { t } = useTranslation('staff-accounts')
  const { act, running } = useAccountActions(account.id)
  const { id, name, active, refusals } = account
  const label = t(active ? 'detail.deactivate' : 'detail.reactivate')
  const Icon = active ? IconLock : IconLockOpen
  const icon = <Icon size={18} aria-hidden />
  const params = { params: { id } }
  if (refusals.standing || !active)
    return (
      <DisabledReason
        variant="default"
        leftSection={icon}
        reason={refusals.standing}
        loading={running !== undefined}
        onClick={() => act(() => reactivate(params), t('detail.reactivated', { name })).catch(() => {})}
      >
        {label}
      </DisabledReason>
    )
  return (
    <ConfirmButton
      variant="outline"
      danger
      leftSection={icon}
      message={t('detail.deactivateText', { name })}
      onConfirm={() => act(() => deactivate(params), t('detail.deactivated', { name }))}
    >
      {label}
    </ConfirmButton>
  )
}
