import { Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { LookAlike } from '#domain/payments/approvals/endpoints.ts'
import {
  explainLine,
  findCandidates,
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
import type { Checks } from '#web/api/use-checks.ts'
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

type ReasonProps = {
  label?: string
  value: string
  form: Pick<Checks, 'field'>
  field?: string
  onChange: (value: string) => void
}

export function Reason({ label, value, form, field = 'reason', onChange }: ReasonProps) {
  const { t } = useReconciliationWords()
  return (
    <ReasonInput
      label={label ?? t('reason')}
      description={t('reasonHelp')}
      value={value}
      {...form.field(field)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
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
  const [paymentId, setPaymentId] = useState(likelyPaymentId)
  const [reason, setReason] = useState('')
  const query = q.length >= 2 ? { q } : {}
  const { data, error, refetch } = useEndpoint(findCandidates, { params: { id: line.id }, query: query })
  const candidates = data?.data ?? []
  const chosenPayment = candidates.find(({ id }) => id === paymentId)
  const amountDiffers = chosenPayment !== undefined && senOf(chosenPayment.amount) !== line.amountSen
  const form = useForm({
    call: matchLine,
    params: { id: line.id },
    body: { paymentId, ...(amountDiffers && { reason: reason.trim() }) },
    done: t('match.done'),
    onDone: onClose,
  })
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
          value={paymentId}
          onChange={setPaymentId}
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
      {amountDiffers && (
        <>
          <Text>
            {t('match.differs', { line: rupiahOfSen(line.amountSen), payment: rupiah(chosenPayment.amount) })}
          </Text>
          <Reason label={t('match.why')} value={reason} form={form} onChange={setReason} />
        </>
      )}
    </DialogForm>
  )
}

/** Requests the booking of a credit without an owner. */
export function RecordDialog({ line, onClose }: Props) {
  const { t } = useReconciliationWords()
  const { t: d } = useApprovalWords()
  const [payerName, setPayerName] = useState('')
  const [lookAlikes, setLookAlikes] = useState<LookAlike[]>([])
  const [repetitionReason, setRepetitionReason] = useState('')
  const [withoutSen, setWithoutSen] = useState('')
  const bookedAmount = rupiah(wholeRupiahOf(line.amountSen))
  const hasSen = senBeyond(line.amountSen) > 0
  const repetition = { seen: lookAlikes.map(({ id }) => id), reason: repetitionReason.trim() }
  const body = {
    ...(payerName.trim() && { payerName: payerName.trim() }),
    ...(hasSen && { withoutSen: withoutSen.trim() }),
    ...(lookAlikes.length > 0 && { another: repetition }),
  }
  const form = useForm({
    call: recordLine,
    params: { id: line.id },
    body,
    done: t('record.done'),
    onDone: onClose,
    onRefused: ({ code, data }) => {
      if (code === 'look_alikes') setLookAlikes(data?.lookAlikes as LookAlike[])
    },
  })
  return (
    <DialogForm
      form={form}
      title={t('record.title', { amount: bookedAmount })}
      submit={d('pending.send')}
      onClose={onClose}
    >
      <About line={line} />
      <Text>{t('record.text')}</Text>
      <TextInput
        label={t('record.payer')}
        autoComplete="off"
        data-autofocus
        {...form.field('payerName')}
        value={payerName}
        onChange={(event) => setPayerName(event.currentTarget.value)}
      />
      {hasSen && (
        <>
          <Text>{t('record.sen', { line: rupiahOfSen(line.amountSen), amount: bookedAmount })}</Text>
          <Reason
            label={t('record.withoutSen')}
            value={withoutSen}
            form={form}
            field="withoutSen"
            onChange={setWithoutSen}
          />
        </>
      )}
      {lookAlikes.length > 0 && (
        <>
          <LookAlikes lookAlikes={lookAlikes} />
          <Reason
            label={t('approvals:look.another')}
            value={repetitionReason}
            form={form}
            field="another.reason"
            onChange={setRepetitionReason}
          />
        </>
      )}
    </DialogForm>
  )
}

/** Explains why a line is not a payment. */
export function ExplainDialog({ line, onClose }: Props) {
  const { t } = useReconciliationWords()
  const [explanation, setExplanation] = useState<(typeof explanations)[number]>(line.amountSen < 0 ? 'fee' : 'interest')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: explainLine,
    params: { id: line.id },
    body: { explanation, reason: reason.trim() },
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
        value={explanation}
        onChange={(value) => value && setExplanation(value as typeof explanation)}
      />
      <Reason value={reason} form={form} onChange={setReason} />
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
  const [reason, setReason] = useState('')
  const form = useForm({ call, params: { id }, body: { reason: reason.trim() }, done, onDone: onClose })
  return (
    <DialogForm {...dialog} form={form} onClose={onClose}>
      <Text>{text}</Text>
      <Reason value={reason} form={form} onChange={setReason} />
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
