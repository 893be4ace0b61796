import { Alert, Button, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type BankChoice,
  type BillView,
  listRegistrationBills,
  requestVirtualAccount,
} from '#domain/payments/bills/endpoints.ts'
import { isOpen } from '#domain/payments/bills/virtual-account-status.ts'
import { takesAmount } from '#domain/payments/providers/pay-ways.ts'
import { rupiah } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { deadline } from '#web/modules/payments/bills/words.ts'
import { bringIntoView } from '#web/ui/bring-into-view.ts'
import { Card } from '#web/ui/card.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { goToPayment, payPlace } from './pay-place.ts'
import { type KnownNumber, TransferNumber } from './transfer-number.tsx'

type Props = {
  bill: BillView
  banks: readonly BankChoice[]
  payerName: string
  /** Leaves out the card around it. */
  bare?: boolean
}

/** One unpaid bill: amount and deadline, choice of bank, then the transfer number. */
export function PayCard({ bill, banks, payerName, bare }: Props) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const [isChoosing, setIsChoosing] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const wasChoosing = useRef(isChoosing)
  useEffect(() => {
    if (wasChoosing.current === isChoosing) return
    wasChoosing.current = isChoosing
    // The choice of bank and the number replace each other, far above the button that was pressed.
    goToPayment(card.current)
  }, [isChoosing])
  const next = bill.next
  if (!next) return null
  const open = bill.virtualAccounts.filter(({ status }) => isOpen(status)).at(-1)
  const activeAccount = open?.status === 'active' && open.number !== null ? (open as KnownNumber) : undefined
  const pendingAccount = open?.status === 'pending' ? open : undefined
  const expiredAccount = !activeAccount && bill.virtualAccounts.some((account) => account.status === 'expired')
  const part = bill.installments.find((installment) => installment.id === next.installmentId)
  const amount = rupiah(next.amount)
  const payable = banks.filter(({ way }) => takesAmount(way, next.amount))
  const due = next.dueAt ? deadline(next.dueAt, language) : null
  const body = (
    <Stack gap="md" ref={card}>
      <div>
        <h2 className={classes.sentence} style={{ margin: 0 }}>
          {t(due ? (bill.overdue ? 'pay.overdue' : 'pay.before') : 'pay.anytime', { amount, due })}
        </h2>
        <Text c="dimmed" mt={4}>
          {part
            ? t('pay.instalment', { position: part.position, count: bill.installments.length, number: bill.number })
            : t('pay.forBill', { kind: t(`kind.${bill.kind}`), number: bill.number })}
        </Text>
        {bill.promise && bill.promise.state !== 'kept' && (
          <Text mt={8}>{t(`promise.${bill.promise.state}`, { due: deadline(bill.promise.until, language) })}</Text>
        )}
        {bill.unlock && (
          <Text mt={8}>
            {t(`pay.${bill.paid > 0 ? 'untilMore' : 'until'}.${bill.unlock.what}`, {
              amount: rupiah(bill.unlock.missing),
            })}
          </Text>
        )}
        <Text mt={8}>{t(bill.kind === 'registration_fee' ? 'pay.thenFee' : 'pay.thenRe')}</Text>
      </div>
      {expiredAccount && (
        <Alert color="yellow">
          <Text>{t('account.expired')}</Text>
        </Alert>
      )}
      {(activeAccount || pendingAccount) && !isChoosing ? (
        <>
          {activeAccount && <TransferNumber account={activeAccount} payerName={payerName} />}
          {pendingAccount && <PendingNumber account={pendingAccount} />}
          {payable.length > 1 && (
            <Button
              variant="subtle"
              classNames={{ root: classes.action, label: classes.actionLabel }}
              onClick={() => setIsChoosing(true)}
            >
              {t('account.otherBank')}
            </Button>
          )}
        </>
      ) : (
        <BankPicker bill={bill} banks={payable} onDone={() => setIsChoosing(false)} />
      )}
    </Stack>
  )
  return bare ? body : <Card>{body}</Card>
}

/** The number is requested but not issued yet; says that the applicant may leave the page. */
function PendingNumber({ account }: { account: BillView['virtualAccounts'][number] }) {
  const { t } = useTranslation('bills')
  return (
    <Alert color={account.delayed ? 'yellow' : 'blue'} role="status" {...payPlace}>
      <Text fw={600}>{account.bankName}</Text>
      <Text>{t(account.delayed ? 'account.delayed' : 'account.pending')}</Text>
    </Alert>
  )
}

function BankPicker({ bill, banks, onDone }: { bill: BillView; banks: readonly BankChoice[]; onDone: () => void }) {
  const { t } = useTranslation('bills')
  const queries = useQueryClient()
  const [bank, setBank] = useState(bill.virtualAccounts.at(-1)?.bank ?? banks[0]?.code ?? '')
  const { way = 'transfer' } = banks.find((offer) => offer.code === bank) ?? {}
  const request = useMutation({
    mutationFn: () => sendOnce(requestVirtualAccount, { params: { id: bill.id }, body: { bank } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(listRegistrationBills) })
      onDone()
    },
  })
  if (banks.length === 0) return <Alert color="yellow">{t('pay.noBanks')}</Alert>
  return (
    <Stack gap="sm">
      <Radio.Group
        {...payPlace}
        value={bank}
        onChange={setBank}
        label={t('account.choose')}
        description={t('account.chooseHelp')}
        labelProps={{ size: 'md' }}
        descriptionProps={{ size: 'sm' }}
        name={`bank-${bill.id}`}
      >
        <div className={classes.banks} style={{ marginTop: 12 }}>
          {banks.map((offer) => (
            <Radio.Card key={offer.code} value={offer.code} className={classes.choice}>
              <span className={classes.choiceLine}>
                <Radio.Indicator />
                <span>
                  <strong>{offer.name}</strong>
                  {offer.demo && <span className={quiet.text}> ({t('sandbox.title')})</span>}
                </span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {request.isError && (
        <Alert color="red" role="alert" ref={bringIntoView}>
          {request.error.message}
        </Alert>
      )}
      <Button
        size="lg"
        fullWidth
        classNames={{ root: classes.action, label: classes.actionLabel }}
        onClick={() => request.mutate()}
        loading={request.isPending}
        disabled={!bank}
      >
        {t(way === 'transfer' ? 'account.request' : 'account.requestCode')}
      </Button>
    </Stack>
  )
}
