import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PaymentAlert, settlePaymentAlert } from '#domain/payments/money/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { amountOf, HeldActions } from './waiting/held-amount.tsx'

/** Bank reports that need a person, with their outcome. */
export function Alerts({ alerts }: { alerts: readonly PaymentAlert[] }) {
  const { t } = useTranslation('banks')
  const { language } = useSurroundings()
  const { may } = useSession()
  const [openAlert, setOpenAlert] = useState<PaymentAlert | null>(null)
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
                  <Button variant="default" onClick={() => setOpenAlert(alert)} children={t('alerts.settle')} />
                </div>
              )
            )}
          </Stack>
        </Alert>
      ))}
      {openAlert && <SettleDialog alert={openAlert} onClose={() => setOpenAlert(null)} />}
    </>
  )
}

function SettleDialog({ alert, onClose }: { alert: PaymentAlert; onClose: () => void }) {
  const { t } = useTranslation('banks')
  const { say } = useSurroundings()
  const queries = useQueryClient()
  const form = useForm({
    call: settlePaymentAlert,
    params: { id: alert.id },
    start: { note: '' },
    body: ({ note }) => ({ note: note.trim() }),
    done: t('alerts.done'),
    onDone: onClose,
    // Another user may have settled the alert.
    onRefused: () => void queries.invalidateQueries(),
  })
  return (
    <DialogForm form={form} title={t('alerts.settle')} submit={say('actions.save')} onClose={onClose}>
      <ReasonInput label={t('alerts.note')} description={t('alerts.noteHelp')} data-autofocus {...form.text('note')} />
    </DialogForm>
  )
}
