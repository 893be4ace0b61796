import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccountDetail, resetTotp, sendPasswordReset, unlockAccount } from '#domain/accounts/staff-endpoints.ts'
import { dateTime, longDate } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { TwoFactorDot } from './standing.tsx'
import { useAccountActions } from './use-account-actions.ts'

type Props = { account: AccountDetail }

/** Sign-in methods of the account, with resets for a lost password or phone. */
export function SecurityCards({ account }: Props) {
  return (
    <Stack gap={20}>
      <PasswordOfAccount account={account} />
      <TotpOfAccount account={account} />
    </Stack>
  )
}

function PasswordOfAccount({ account }: Props) {
  const { t } = useTranslation('staff-accounts')
  const { say, language } = useSurroundings()
  const { act, running } = useAccountActions(account.id)
  const { id, name, email, refusals, lockedUntil } = account
  const params = { params: { id } }
  return (
    <Card title={t('detail.password')}>
      <Stack gap="md" align="flex-start">
        <Text>
          {t(account.hasPassword ? 'detail.passwordSet' : 'detail.passwordNone')}
          {account.googleLinked && ` · ${t('detail.google')}`}
        </Text>
        <DisabledReason
          variant="default"
          reason={refusals.change ?? (account.active ? null : t('status.inactive'))}
          loading={running === 'reset'}
          onClick={() =>
            act(
              'reset',
              () => sendOnce(sendPasswordReset, params),
              () => t('detail.resetSent', { email }),
            )
          }
        >
          {t('detail.sendReset')}
        </DisabledReason>
        {lockedUntil && (
          <>
            <Text>{t('detail.locked', { until: dateTime(lockedUntil, language) })}</Text>
            <DisabledReason
              variant="default"
              reason={refusals.change}
              loading={running === 'unlock'}
              onClick={() =>
                act(
                  'unlock',
                  () => sendOnce(unlockAccount, params),
                  () => t('detail.unlocked', { name }),
                )
              }
            >
              {t('detail.unlock')}
            </DisabledReason>
          </>
        )}
        <Text size="sm" c="dimmed">
          {t('columns.emailVerified')}: {say(account.emailVerifiedAt ? 'yes' : 'no')}
        </Text>
      </Stack>
    </Card>
  )
}

function TotpOfAccount({ account }: Props) {
  const { t } = useTranslation('staff-accounts')
  const { language } = useSurroundings()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { totp, twoFactor, role, refusals } = account
  return (
    <Card title={t('detail.totp')}>
      <Stack gap="md" align="flex-start">
        <TwoFactorDot state={twoFactor} />
        {twoFactor === 'on' && totp.since && (
          <Text>{t('detail.totpOn', { since: longDate(totp.since, language), count: totp.recoveryCodesLeft })}</Text>
        )}
        {twoFactor === 'missing' && <Text>{t('detail.totpMissing')}</Text>}
        {role.requireTotp && (
          <Text size="sm" c="dimmed">
            {t('detail.requiredByRole', { role: role.name })}
          </Text>
        )}
        {twoFactor === 'on' && (
          <DisabledReason variant="default" reason={refusals.standing} onClick={() => setIsDialogOpen(true)}>
            {t('detail.resetTotp')}
          </DisabledReason>
        )}
        {isDialogOpen && <ResetTotpDialog account={account} onClose={() => setIsDialogOpen(false)} />}
      </Stack>
    </Card>
  )
}

/** Removes a lost second factor; requires a reason, which the account's owner reads. */
function ResetTotpDialog({ account, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation('staff-accounts')
  const { id, name } = account
  return (
    <ReasonDialog
      call={resetTotp}
      params={{ id }}
      title={t('detail.resetTotpTitle')}
      submit={t('detail.resetTotp')}
      danger
      label={t('detail.reason')}
      description={t('detail.reasonHint')}
      done={t('detail.totpWasReset', { name })}
      onClose={onClose}
    >
      <Text>{t('detail.resetTotpText', { name })}</Text>
    </ReasonDialog>
  )
}
