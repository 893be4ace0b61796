import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  listVirtualAccounts,
  type PaymentAlert,
  settlePaymentAlert,
} from '#domain/payments/virtual-account-endpoints.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useSession } from '#web/app/session.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { useAction } from '../use-action.ts'

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
            <Text>{t(`alerts.${alert.kind}`, { amount: rupiah(alert.amount ?? 0) })}</Text>
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
  const { act, running } = useAction(shown, keyOf(listVirtualAccounts))
  const [note, setNote] = useState('')
  const settle = async (event: FormEvent) => {
    event.preventDefault()
    if (note.trim().length < 3) return
    const done = await act(
      'settle',
      () => send({ params: { id: alert.id }, body: { note: note.trim() } }),
      () => t('alerts.done'),
    )
    if (done) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('alerts.settle')}
      centered
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <form onSubmit={settle}>
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
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} children={say('actions.cancel')} />
            <Button
              type="submit"
              loading={running === 'settle'}
              disabled={note.trim().length < 3}
              children={say('actions.save')}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
