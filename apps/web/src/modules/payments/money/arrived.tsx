import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BillView, listRegistrationBills, seePayments } from '#domain/payments/bills/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { deadline, unseenPayments } from '#web/modules/payments/bills/words.ts'
import { useSession } from '#web/shell/session.tsx'
import { Money } from '#web/ui/money.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { ReceiptButton, WaitingMoney } from './payment-history.tsx'

type Props = {
  registrationId: string
  bills: readonly BillView[]
  /** What the applicant does now: a sentence and a link. */
  next: ReactNode
  onArrival: () => void
}

/**
 * Fills the screen once with the payments that the payer has not seen, whether they came with the page open or before.
 * The screen stays until the payer closes it, although the server notes at once that the payments were shown.
 */
export function Arrived({ registrationId, bills, next, onArrival }: Props) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const { seenBy } = useSession()
  const queries = useQueryClient()
  const send = useSend(seePayments)
  const [shown, setShown] = useState<readonly string[]>([])
  const announced = useRef(new Set<string>())
  const payments = bills.flatMap((bill) => bill.payments)
  const unseen = seenBy ? [] : unseenPayments(payments).filter(({ id }) => !announced.current.has(id))

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each set of new payments
  useEffect(() => {
    if (unseen.length === 0) return
    const ids = unseen.map(({ id }) => id)
    for (const id of ids) announced.current.add(id)
    setShown((before) => [...before, ...ids])
    onArrival()
    // If this call fails, the next visit announces the payment again.
    send({ params: { id: registrationId }, body: { paymentIds: ids } }).then(
      () => queries.invalidateQueries({ queryKey: keyOf(listRegistrationBills) }),
      () => {},
    )
  }, [unseen.map(({ id }) => id).join()])

  const arrived = payments.filter(({ id }) => shown.includes(id))
  const amount = arrived.reduce((sum, payment) => sum + payment.amount, 0)
  const owed = bills.filter((bill) => bill.next && bill.payments.some(({ id }) => shown.includes(id)))
  const close = () => setShown([])
  return (
    <Modal
      opened={arrived.length > 0}
      onClose={close}
      fullScreen
      title={t('arrived.title')}
      closeButtonProps={{ 'aria-label': t('arrived.close') }}
    >
      <Stack gap="lg" maw={560} mx="auto" py="lg">
        <div className={classes.arrived} role="status">
          <IconCircleCheck size={56} aria-hidden="true" />
          <h2 className={classes.arrivedSum}>{t('arrived.received', { amount: rupiah(amount) })}</h2>
        </div>
        {arrived.map(
          (payment) =>
            payment.receiptNumber && (
              <div className={classes.line} key={payment.id}>
                <span>
                  <Money amount={payment.amount} /> · {payment.bankName}
                </span>
                <ReceiptButton id={payment.id} number={payment.receiptNumber} />
              </div>
            ),
        )}
        <WaitingMoney payments={arrived} />
        <section aria-label={t('arrived.next')}>
          <Text fw={650}>{t('arrived.next')}</Text>
          {next}
        </section>
        {owed.map((bill) => (
          <details key={bill.id} className={classes.later}>
            <summary>{t(bill.next?.installmentId ? 'arrived.instalment' : 'arrived.rest')}</summary>
            <Text mt="xs">
              {bill.next?.dueAt
                ? t('pay.before', { amount: rupiah(bill.next.amount), due: deadline(bill.next.dueAt, language) })
                : t('pay.anytime', { amount: rupiah(bill.next?.amount ?? 0) })}
            </Text>
          </details>
        ))}
        <Button variant="default" onClick={close} classNames={{ root: classes.action, label: classes.actionLabel }}>
          {t('arrived.toPayments')}
        </Button>
      </Stack>
    </Modal>
  )
}
