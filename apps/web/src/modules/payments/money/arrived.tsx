import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BillView, listRegistrationBills, seePayments } from '#domain/payments/bills/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { goToPayment } from '#web/modules/payments/bills/pay/pay-place.ts'
import { deadline, unseenPayments } from '#web/modules/payments/bills/words.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ReceiptButton, WaitingMoney } from './payment-history.tsx'

type Props = {
  registrationId: string
  bills: readonly BillView[]
  /** The applicant's next step: a sentence and a link, or a button if the step is to pay on this page. */
  next: (toPayment: () => void) => ReactNode
  onArrival: () => void
}

/**
 * Announces each new payment in full screen once, whether it arrived while the page was open or before. The screen
 * stays until the payer closes it; the server marks the payments as seen at once.
 */
export function Arrived({ registrationId, bills, next, onArrival }: Props) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const { seenBy } = useSession()
  const queries = useQueryClient()
  const [visibleIds, setVisibleIds] = useState<readonly string[]>([])
  const [leadsToPayment, setLeadsToPayment] = useState(false)
  const announcedIds = useRef(new Set<string>())
  const payments = bills.flatMap((bill) => bill.payments)
  const unseenNow = seenBy ? [] : unseenPayments(payments).filter(({ id }) => !announcedIds.current.has(id))

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each set of new payments
  useEffect(() => {
    if (unseenNow.length === 0) return
    const ids = unseenNow.map(({ id }) => id)
    for (const id of ids) announcedIds.current.add(id)
    setVisibleIds((previousIds) => [...previousIds, ...ids])
    onArrival()
    // If this call fails, the next visit announces the payment again.
    sendOnce(seePayments, { params: { id: registrationId }, body: { paymentIds: ids } }).then(
      () => queries.invalidateQueries({ queryKey: keyOf(listRegistrationBills) }),
      () => {},
    )
  }, [unseenNow.map(({ id }) => id).join()])

  const visiblePayments = payments.filter(({ id }) => visibleIds.includes(id))
  const amount = visiblePayments.reduce((sum, payment) => sum + payment.amount, 0)
  const owedBills = bills.filter((bill) => bill.next && bill.payments.some(({ id }) => visibleIds.includes(id)))
  const closing = (isToPay: boolean) => () => {
    setLeadsToPayment(isToPay)
    setVisibleIds([])
  }
  const close = closing(false)
  return (
    <Modal
      opened={visiblePayments.length > 0}
      onClose={close}
      onExitTransitionEnd={() => leadsToPayment && goToPayment()}
      returnFocus={!leadsToPayment}
      fullScreen
      title={t('arrived.title')}
      closeButtonProps={{ 'aria-label': t('arrived.close') }}
    >
      <Stack gap="lg" maw={560} mx="auto" py="lg">
        <div className={classes.arrived} role="status">
          <IconCircleCheck size={56} aria-hidden="true" />
          <h2 className={classes.arrivedSum}>{t('arrived.received', { amount: rupiah(amount) })}</h2>
        </div>
        {visiblePayments.map(
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
        <WaitingMoney payments={visiblePayments} />
        <section aria-label={t('arrived.next')}>
          <Text fw={650}>{t('arrived.next')}</Text>
          {next(closing(true))}
        </section>
        {owedBills.map((bill) => (
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
