import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, getAccount } from '#domain/accounts/endpoints.ts'
import { endTotp, readTotp, renewRecoveryCodes } from '#domain/accounts/totp-endpoints.ts'
import { longDate } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useFields } from '#web/modules/accounts/use-fields.ts'
import { useLanguage } from '#web/shell/language.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetup } from './totp-setup.tsx'

type Doing = 'set-up' | 'off' | 'renew' | null

/** Two-factor sign-in of the signed-in account. */
export function TotpCard({ account }: { account: Account }) {
  const { t } = useTranslation('staff-accounts')
  const language = useLanguage()
  const { seenBy } = useSession()
  const queries = useQueryClient()
  const { data, error, refetch } = useEndpoint(readTotp, {}, { enabled: !seenBy })
  const [openDialog, setOpenDialog] = useState<Doing>(null)
  const [codes, setCodes] = useState<string[]>()
  const done = () => {
    setOpenDialog(null)
    setCodes(undefined)
    for (const endpoint of [readTotp, getAccount]) void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
  }
  // Hidden from staff who view the product as another account.
  if (seenBy) return null
  const state = data?.data
  const codesLeft = state?.recoveryCodesLeft ?? 0
  return (
    <Card title={t('totp.title')}>
      {!state ? (
        <LoadingOrFailed error={error} onRetry={refetch} />
      ) : codes ? (
        <RecoveryCodes codes={codes} email={account.email} onKept={done} />
      ) : openDialog === 'set-up' ? (
        <TotpSetup email={account.email} onDone={done} onCancel={done} />
      ) : (
        <Stack gap="md" align="flex-start">
          <Text c="dimmed">{t('totp.text')}</Text>
          <Group gap="sm">
            <StatusDot
              tone={state.on ? 'done' : state.required ? 'attention' : 'waiting'}
              label={state.on && state.since ? t('totp.on', { since: longDate(state.since, language) }) : t('totp.off')}
            />
            {state.required && <Text size="sm">{t('totp.required')}</Text>}
          </Group>
          {state.on && <Text>{codesLeft > 0 ? t('totp.codesLeft', { count: codesLeft }) : t('totp.codesNone')}</Text>}
          <Group gap="sm">
            {!state.on && <Button onClick={() => setOpenDialog('set-up')}>{t('totp.setUp')}</Button>}
            {state.on && (
              <>
                <Button variant="default" onClick={() => setOpenDialog('renew')}>
                  {t('totp.renew')}
                </Button>
                <DisabledReason
                  variant="default"
                  reason={state.required ? t('totp.cannotOff') : null}
                  onClick={() => setOpenDialog('off')}
                >
                  {t('totp.turnOff')}
                </DisabledReason>
              </>
            )}
          </Group>
        </Stack>
      )}
      {(openDialog === 'off' || openDialog === 'renew') && (
        <Proof
          action={openDialog}
          account={account}
          onClose={() => setOpenDialog(null)}
          onDone={(renewed) => {
            setOpenDialog(null)
            if (renewed) return setCodes(renewed)
            notifications.show({ color: 'green', message: t('totp.turnedOff') })
            done()
          }}
        />
      )}
    </Card>
  )
}

type ProofProps = {
  action: 'off' | 'renew'
  account: Account
  onClose: () => void
  onDone: (codes: string[] | null) => void
}

/** Asks for password and code again, so that nobody at an unattended screen can change the second factor. */
function Proof({ action, account, onClose, onDone }: ProofProps) {
  const { t } = useTranslation('staff-accounts')
  const fields = useFields({ password: '', code: '' }, ({ password, code }) => ({
    password: account.hasPassword && password === '' ? 'field_required' : null,
    code: code.trim() === '' ? 'field_required' : null,
  }))
  const send = fields.submit(async ({ password, code }) => {
    const body = { code, ...(account.hasPassword && { password }) }
    if (action === 'renew') return onDone((await sendOnce(renewRecoveryCodes, { body })).data.recoveryCodes)
    await sendOnce(endTotp, { body })
    onDone(null)
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(action === 'off' ? 'totp.turnOff' : 'totp.renew')}
      closeButtonProps={{ 'aria-label': t('totp.cancel') }}
    >
      <form onSubmit={send} ref={fields.form} noValidate>
        <Stack gap="md">
          <Text>{t(action === 'off' ? 'totp.proofOff' : 'totp.proofRenew')}</Text>
          {account.hasPassword && (
            <PasswordInput label={t('totp.password')} autoComplete="current-password" {...fields.text('password')} />
          )}
          <TextInput
            label={t('totp.code')}
            description={t('totp.codeHint')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={20}
            {...fields.text('code')}
          />
          <Failure>{fields.formError}</Failure>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('totp.cancel')}
            </Button>
            <Button type="submit" loading={fields.busy} color={action === 'off' ? 'red.9' : undefined}>
              {t(action === 'off' ? 'totp.turnOff' : 'totp.renew')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
