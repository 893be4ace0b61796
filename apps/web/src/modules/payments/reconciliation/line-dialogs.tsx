import { Radio, Select, Stack, Text, type TextareaProps, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { LookAlike } from '#domain/payments/approvals/endpoints.ts'
import {
  explainLine,
  findCandidates,
  findLineBills,
  type LineBill,
  matchLine,
  recordLine,
  reopenLine,
  type StatementLineRow,
  settleDifference,
} from '#domain/payments/reconciliation/endpoints.ts'
import { senBeyond, senOf, wholeRupiahOf } from '#domain/payments/reconciliation/sen.ts'
import { explanations } from '#domain/payments/reconciliation/statement-lines.ts'
import { dateTime, rupiah, rupiahOfSen } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { LookAlikes } from '#web/modules/payments/approvals/look-alikes.tsx'
import { useApprovalWords } from '#web/modules/payments/approvals/words.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './reconciliation.module.css'
import { useReconciliationWords } from './words.ts'

type Props = { line: StatementLineRow; paymentId?: string | undefined; onClose: () => void }

export function Reason(input: TextareaProps) {
  const { t } = useReconciliationWords()
  return <ReasonInput label={t('reason')} description={t('reasonHelp')} {...input} />
}

/** Shows a dialog's statement line. */
export function About({ line }: { line: StatementLineRow }) {
  return (
    <div className={classes.about}>
      <Text fw={600}>{rupiahOfSen(line.amountSen)}</Text>
      <Text size="sm" c="dimmed">
        {[line.reference, line.description].filter(Boolean).join(' · ')}
      </Text>
    </div>
  )
}

/** Matches a credit with a payment. */
export function MatchDialog({ line, paymentId: likelyPaymentId = '', onClose }: Props) {
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  const [searchText, setSearchText] = useState('')
  const [q] = useDebouncedValue(searchText.trim(), 250)
  const query = q.length >= 2 ? { q } : {}
  const { data, error, refetch } = useEndpoint(findCandidates, { params: { id: line.id }, query: query })
  const candidates = data?.data ?? []
  const candidateOf = (paymentId: string) => candidates.find(({ id }) => id === paymentId)
  const differs = (payment: { amount: number }) => senOf(payment.amount) !== line.amountSen
  const form = useForm({
    call: matchLine,
    params: { id: line.id },
    start: { paymentId: likelyPaymentId, reason: '' },
    body: ({ paymentId, reason }) => {
      const candidate = candidateOf(paymentId)
      return { paymentId, ...(candidate && differs(candidate) && { reason: reason.trim() }) }
    },
    done: t('match.done'),
    onDone: onClose,
  })
  const chosenPayment = candidateOf(form.values.paymentId)
  return (
    <DialogForm
      form={form}
      title={t('match.title')}
      submit={t('action.match')}
      button={{ disabled: !chosenPayment }}
      onClose={onClose}
    >
      <About line={line} />
      <TextInput
        label={t('match.search')}
        value={searchText}
        data-autofocus
        onChange={(event) => setSearchText(event.currentTarget.value)}
      />
      {!data ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={3} />
      ) : candidates.length === 0 ? (
        <Text c="dimmed">{t('match.none')}</Text>
      ) : (
        <Radio.Group
          label={q.length >= 2 ? undefined : t('match.near')}
          aria-label={t('match.title')}
          value={form.values.paymentId}
          onChange={(paymentId) => form.set({ paymentId })}
        >
          <Stack gap="xs" mt="xs" className={classes.choices}>
            {candidates.map((payment) => (
              <Radio
                key={payment.id}
                value={payment.id}
                label={`${rupiah(payment.amount)} · ${payment.applicantName ?? payment.label}`}
                description={`${payment.label} · ${dateTime(payment.paidAt, language)}`}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {chosenPayment && differs(chosenPayment) && (
        <>
          <Text>
            {t('match.differs', { line: rupiahOfSen(line.amountSen), payment: rupiah(chosenPayment.amount) })}
          </Text>
          <Reason label={t('match.why')} {...form.text('reason')} />
        </>
      )}
    </DialogForm>
  )
}

/** Choice that no bill gets the money yet. */
const nobody = 'nobody'

/** Whether a bill is chosen at first: the bank's text or a proof names it, and the sum is what is owed. */
const isSure = ({ why }: LineBill) => why.includes('amount') && (why.includes('number') || why.includes('proof'))

const partsOf = (bill: LineBill | undefined) =>
  bill && { billId: bill.id, ...(bill.proofId && { proofId: bill.proofId }) }

/** Requests the booking of a credit, on a bill or without an owner. */
export function RecordDialog({ line, onClose }: Props) {
  const { t } = useReconciliationWords()
  const { t: d } = useApprovalWords()
  const [lookAlikes, setLookAlikes] = useState<LookAlike[]>([])
  const bookedAmount = rupiah(wholeRupiahOf(line.amountSen))
  const hasSen = senBeyond(line.amountSen) > 0
  const { data, error, refetch } = useEndpoint(findLineBills, { params: { id: line.id } }, { staleTime: 0 })
  const bills = data?.data ?? []
  const billOf = (id: string | null) => (id === null ? bills.find(isSure) : bills.find((bill) => bill.id === id))
  const form = useForm({
    call: recordLine,
    params: { id: line.id },
    start: { payerName: '', billId: null as string | null, withoutSen: '', 'another.reason': '' },
    body: ({ payerName, billId, withoutSen, 'another.reason': repetitionReason }) => ({
      ...partsOf(billOf(billId)),
      ...(payerName.trim() && { payerName: payerName.trim() }),
      ...(hasSen && { withoutSen: withoutSen.trim() }),
      ...(lookAlikes.length > 0 && {
        another: { seen: lookAlikes.map(({ id }) => id), reason: repetitionReason.trim() },
      }),
    }),
    done: t('record.done'),
    onDone: onClose,
    onRefused: ({ code, data }) => {
      if (code === 'look_alikes') setLookAlikes(data?.lookAlikes as LookAlike[])
    },
  })
  const chosenBill = billOf(form.values.billId)
  return (
    <DialogForm
      form={form}
      title={t('record.title', { amount: bookedAmount })}
      button={{ disabled: !data && !error }}
      submit={d('pending.send')}
      onClose={onClose}
    >
      <About line={line} />
      {!data ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={3} />
      ) : (
        bills.length > 0 && (
          <Radio.Group
            label={t('record.whose')}
            value={chosenBill?.id ?? nobody}
            onChange={(id) => form.set({ billId: id })}
          >
            <Stack gap="xs" mt="xs" className={classes.choices}>
              {bills.map((bill) => (
                <Radio
                  key={bill.id}
                  value={bill.id}
                  label={`${bill.applicantName} · ${bill.number}`}
                  description={t('record.bill', {
                    rest: rupiah(bill.rest),
                    why: bill.why.map((feature) => t(`record.why.${feature}`)).join(', '),
                  })}
                />
              ))}
              <Radio value={nobody} label={t('record.nobody')} />
            </Stack>
          </Radio.Group>
        )
      )}
      <Text>{t(chosenBill ? 'record.textBill' : 'record.text')}</Text>
      <TextInput label={t('record.payer')} autoComplete="off" data-autofocus {...form.text('payerName')} />
      {hasSen && (
        <>
          <Text>{t('record.sen', { line: rupiahOfSen(line.amountSen), amount: bookedAmount })}</Text>
          <Reason label={t('record.withoutSen')} {...form.text('withoutSen')} />
        </>
      )}
      {lookAlikes.length > 0 && (
        <>
          <LookAlikes lookAlikes={lookAlikes} />
          <Reason label={t('approvals:look.another')} {...form.text('another.reason')} />
        </>
      )}
    </DialogForm>
  )
}

/** Explains why a line is not a payment. */
export function ExplainDialog({ line, onClose }: Props) {
  const { t } = useReconciliationWords()
  const form = useForm({
    call: explainLine,
    params: { id: line.id },
    start: { explanation: (line.amountSen < 0 ? 'fee' : 'interest') as (typeof explanations)[number], reason: '' },
    body: ({ explanation, reason }) => ({ explanation, reason: reason.trim() }),
    done: t('explain.done'),
    onDone: onClose,
  })
  return (
    <DialogForm form={form} title={t('explain.title')} submit={t('action.explain')} onClose={onClose}>
      <About line={line} />
      <Select
        label={t('explain.what')}
        allowDeselect={false}
        data={explanations.map((value) => ({ value, label: t(`explanation.${value}`) }))}
        {...form.choice('explanation')}
        withAsterisk={false}
      />
      <Reason {...form.text('reason')} />
    </DialogForm>
  )
}

type ReasonDialogProps = {
  call: typeof reopenLine | typeof settleDifference
  id: string
  title: string
  text: string
  submit: string
  done: string
  onClose: () => void
}

function ReasonDialog({ call, id, text, done, onClose, ...dialog }: ReasonDialogProps) {
  const form = useForm({
    call,
    params: { id },
    start: { reason: '' },
    body: ({ reason }) => ({ reason: reason.trim() }),
    done,
    onDone: onClose,
  })
  return (
    <DialogForm {...dialog} form={form} onClose={onClose}>
      <Text>{text}</Text>
      <Reason {...form.text('reason')} />
    </DialogForm>
  )
}

/** Undoes a line's match or explanation. */
export function ReopenDialog({ line, onClose }: Props) {
  const { t } = useReconciliationWords()
  return (
    <ReasonDialog
      call={reopenLine}
      id={line.id}
      title={t('reopen.title')}
      text={t('reopen.text')}
      submit={t('action.reopen')}
      done={t('reopen.done')}
      onClose={onClose}
    />
  )
}

/** Settles a difference that matches nothing. */
export function SettleDialog({ id, text, onClose }: { id: string; text: string; onClose: () => void }) {
  const { t } = useReconciliationWords()
  return (
    <ReasonDialog
      call={settleDifference}
      id={id}
      title={t('settle.title')}
      text={text}
      submit={t('action.settle')}
      done={t('settle.done')}
      onClose={onClose}
    />
  )
}
