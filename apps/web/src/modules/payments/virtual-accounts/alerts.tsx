import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  listVirtualAccounts,
  type PaymentAlert,
  settlePaymentAlert,
} from '#domain/payments/virtual-account-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useSession } from '#web/app/session.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { amountOf, HeldActions } from '../desk/held-amount.tsx'

type Props = {
  alerts: readonly PaymentAlert[]
  /** Key of the query that shows them, asked anew when one is settled. */
  shown: readonly unknown[]
}

/** What the bank said and only a person can settle, with what was done about it. */
export function Alerts({ alerts, shown }: Props) {
  const { t } = useTranslation('virtual-accounts')
  const { language } = useSurroundings()
  const { may } = useSession()
  const [settling, setSettling] = useState<PaymentAlert | null>(null)
  return (
    <>
      {alerts.map((alert) => (
        <Alert key={alert.id} color={alert.settledAt ? 'gray' : 'orange'} variant="light" role="status">
          <Stack gap="xs">
            {!alert.settledAt && <Text fw={600}>{t('alerts.title')}</Text>}
            <Text style={{ overflowWrap: 'anywhere' }}>{t(`alerts.${alert.kind}`, { amount: amountOf(alert) })}</Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t('alerts.reference', { reference: alert.reference, at: dateTime(alert.raisedAt, language) })}
            </Text>
            {alert.settledAt && !alert.settledBy ? (
              <Text size="sm">{t('alerts.answered', { at: dateTime(alert.settledAt, language) })}</Text>
            ) : alert.settledAt ? (
              <Text size="sm">
                {t('alerts.settled', {
                  name: alert.settledBy,
                  at: dateTime(alert.settledAt, language),
                  note: alert.note,
                })}
              </Text>
            ) : alert.kind === 'above_maximum' ? (
              <HeldActions alert={alert} />
            ) : (
              may('transaksi-va-update') && (
                <div>
                  <Button variant="default" onClick={() => setSettling(alert)} children={t('alerts.settle')} />
                </div>
              )
            )}
          </Stack>
        </Alert>
      ))}
      {settling && <SettleDialog shown={shown} alert={settling} onClose={() => setSettling(null)} />}
    </>
  )
}

type DialogProps = { shown: Props['shown']; alert: PaymentAlert; onClose: () => void }

function SettleDialog({ shown, alert, onClose }: DialogProps) {
  const send = useSend(settlePaymentAlert)
  const { t } = useTranslation('virtual-accounts')
  const { say } = useSurroundings()
  const queries = useQueryClient()
  const [note, setNote] = useState('')
  const body = { note: note.trim() }
  const settling = useMutation<unknown, ApiError>({
    mutationFn: () => send({ params: { id: alert.id }, body }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('alerts.done') })
      onClose()
    },
    onSettled: () => {
      for (const queryKey of [shown, keyOf(listVirtualAccounts)]) void queries.invalidateQueries({ queryKey })
    },
  })
  const checks = useChecks(settlePaymentAlert, body, { refusal: settling.error })
  const settle = (event: FormEvent) => {
    event.preventDefault()
    if (!settling.isPending && checks.isReady()) settling.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('alerts.settle')}
      centered
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <form {...checks.form} onSubmit={settle} noValidate>
        <Stack>
          <Textarea
            label={t('alerts.note')}
            description={t('alerts.noteHelp')}
            withAsterisk
            autosize
            minRows={3}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            data-autofocus
            {...checks.field('note')}
          />
          <Failure>{checks.unsaid}</Failure>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} children={say('actions.cancel')} />
            <Button type="submit" loading={settling.isPending} children={say('actions.save')} />
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
