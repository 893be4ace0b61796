import { Select, Text, TextInput } from '@mantine/core'
import type { BillRow } from '#domain/payments/bills/endpoints.ts'
import { quoteReRegistration } from '#domain/payments/bills/endpoints.ts'
import { askException, type BillException } from '#domain/payments/bills/exceptions/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useForm } from '#web/api/use-form.ts'
import { type Proof, ProofDrop } from '#web/modules/payments/approvals/proof-drop.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { DiscountSelect } from './discount-select.tsx'

const kinds = ['waiver', 'discount', 'due_date', 'promise', 'installment_plan', 'guarantee'] as const

export type ActedOnBill = Pick<BillRow, 'id' | 'number' | 'kind' | 'status' | 'total' | 'paid' | 'registrationId'> & {
  applicantName?: string | null
}

const empty = {
  kind: 'waiver' as (typeof kinds)[number],
  amount: 0,
  discountId: '',
  siblingNumber: '',
  sponsor: '',
  letter: '',
  dueOn: null as string | null,
  payBy: null as string | null,
  installmentPlanId: '',
  reason: '',
  proof: null as Proof | null,
}

/** Body of the request: only its kind's fields, without empty ones. */
function requestOf({
  kind,
  amount,
  discountId,
  siblingNumber,
  sponsor,
  letter,
  dueOn,
  payBy,
  installmentPlanId,
  reason,
  proof,
}: typeof empty): BillException {
  const reasonField = { reason: reason.trim() }
  if (kind === 'waiver') return { kind, amount, ...reasonField }
  if (kind === 'discount')
    return { kind, discountId, ...(siblingNumber.trim() && { siblingNumber: siblingNumber.trim() }), ...reasonField }
  if (kind === 'guarantee')
    return { kind, sponsor: sponsor.trim(), ...(letter.trim() && { letter: letter.trim() }), ...reasonField }
  if (kind === 'promise') return { kind, payBy: payBy ?? '', ...(proof && { proofFileId: proof.id }), ...reasonField }
  if (kind === 'due_date') return { kind, dueOn: dueOn ?? '', ...reasonField }
  return { kind, installmentPlanId: installmentPlanId === 'none' ? null : installmentPlanId, ...reasonField }
}

/** Requests an exception for a bill; another account decides. */
export function ExceptionDialog({ bill, onClose }: { bill: ActedOnBill; onClose: () => void }) {
  const { t } = useMoneyWords()
  const unpaidAmount = bill.total - bill.paid
  const form = useForm({
    call: askException,
    params: { id: bill.id },
    start: empty,
    body: requestOf,
    done: t('approvals:asked'),
    onDone: onClose,
  })
  const { kind } = form.values
  return (
    <DialogForm
      form={form}
      title={t('exception.title', { number: bill.number })}
      submit={t('exception.ask')}
      onClose={onClose}
    >
      <Text c="dimmed" size="sm">
        {[bill.applicantName, t('money:enter.rest', { amount: rupiah(unpaidAmount) })].filter(Boolean).join(', ')}
      </Text>
      <Select
        label={t('exception.what')}
        withAsterisk
        allowDeselect={false}
        data={kinds
          .filter((kindOption) => kindOption !== 'installment_plan' || bill.kind === 're_registration')
          .map((value) => ({ value, label: t(`exception.kinds.${value}`) }))}
        {...form.choice('kind')}
      />
      <Text size="sm">{t(`exception.help.${kind}`)}</Text>
      {kind === 'waiver' && <MoneyInput label={t('exception.amount')} {...form.value('amount')} />}
      {kind === 'discount' && (
        <DiscountSelect bill={bill} sibling={form.value('siblingNumber')} {...form.value('discountId')} />
      )}
      {kind === 'guarantee' && (
        <>
          <TextInput label={t('exception.sponsor')} {...form.text('sponsor')} />
          <TextInput label={t('exception.letter')} {...form.text('letter')} />
        </>
      )}
      {kind === 'due_date' && (
        <DatePickerInput
          label={t('exception.dueOn')}
          valueFormat="DD MMMM YYYY"
          minDate={new Date()}
          {...form.value('dueOn')}
        />
      )}
      {kind === 'promise' && (
        <>
          <DatePickerInput
            label={t('exception.payBy')}
            valueFormat="DD MMMM YYYY"
            minDate={new Date()}
            {...form.value('payBy')}
          />
          <ProofDrop
            label={t('exception.proof')}
            proof={form.values.proof}
            onSent={(proof) => form.set({ proof })}
            error={form.errorOf('proofFileId')}
          />
        </>
      )}
      {kind === 'installment_plan' && bill.registrationId && (
        <PlanSelect registrationId={bill.registrationId} {...form.value('installmentPlanId')} />
      )}
      <ReasonInput
        label={t('approvals:approval.reason')}
        description={t('approvals:reasonHelp')}
        {...form.text('reason')}
      />
    </DialogForm>
  )
}

type PlanProps = CheckedField & { registrationId: string; value: string; onChange: (value: string) => void }

function PlanSelect({ registrationId, value, error, onChange, ...field }: PlanProps) {
  const { t } = useMoneyWords()
  const { data, error: failure } = useEndpoint(quoteReRegistration, { params: { id: registrationId }, query: {} })
  const missing = useMissing()
  return (
    <Select
      label={t('exception.plan')}
      {...field}
      withAsterisk
      allowDeselect={false}
      value={value || null}
      error={error ?? missing(t('exception.plan'), failure)}
      data={[
        { value: 'none', label: t('exception.noPlan') },
        ...(data?.data.plans ?? []).map(({ id, name, installments }) => ({
          value: id,
          label: `${name} (${t('exception.times', { count: installments.length })})`,
        })),
      ]}
      onChange={(id) => id && onChange(id)}
    />
  )
}
