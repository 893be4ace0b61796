import { Select, Text, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { askException, type BillException } from '#domain/payments/desk-endpoints.ts'
import { quoteReRegistration } from '#domain/payments/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useMissing } from '#web/ui/missing.tsx'
import { ReasonInput } from '#web/ui/reason-input.tsx'
import { AskDialog } from './ask-dialog.tsx'
import type { ActedOnBill } from './bill-actions.tsx'
import { DiscountSelect, type SiblingField } from './discount-select.tsx'
import { MoneyInput } from './money-input.tsx'
import { type Proof, ProofDrop } from './proof-drop.tsx'
import { useDeskWords } from './words.ts'

const kinds = ['waiver', 'discount', 'due_date', 'promise', 'installment_plan', 'guarantee'] as const

/** Asks for an exception about a bill; another one decides. */
export function ExceptionDialog({ bill, onClose }: { bill: ActedOnBill; onClose: () => void }) {
  const sendAskException = useSend(askException)
  const { t } = useDeskWords()
  const rest = bill.total - bill.paid
  const form = useForm({
    initialValues: {
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
    },
  })
  const [proof, setProof] = useState<Proof | null>(null)
  const { kind, amount, discountId, siblingNumber, sponsor, letter, dueOn, payBy, installmentPlanId, reason } =
    form.values
  const wish = (): BillException => {
    const why = { reason: reason.trim() }
    if (kind === 'waiver') return { kind, amount, ...why }
    if (kind === 'discount')
      return { kind, discountId, ...(siblingNumber.trim() && { siblingNumber: siblingNumber.trim() }), ...why }
    if (kind === 'guarantee')
      return { kind, sponsor: sponsor.trim(), ...(letter.trim() && { letter: letter.trim() }), ...why }
    if (kind === 'promise') return { kind, payBy: payBy ?? '', ...(proof && { proofFileId: proof.id }), ...why }
    if (kind === 'due_date') return { kind, dueOn: dueOn ?? '', ...why }
    return { kind, installmentPlanId: installmentPlanId === 'none' ? null : installmentPlanId, ...why }
  }
  const checks = useChecks(askException, wish())
  return (
    <AskDialog
      title={t('exception.title', { number: bill.number })}
      submit={t('exception.ask')}
      done={t('asked')}
      checks={checks}
      send={() => sendAskException({ params: { id: bill.id }, body: wish() })}
      onClose={onClose}
    >
      <Text c="dimmed" size="sm">
        {[bill.applicantName, t('enter.rest', { amount: rupiah(rest) })].filter(Boolean).join(', ')}
      </Text>
      <Select
        label={t('exception.what')}
        withAsterisk
        allowDeselect={false}
        data={kinds
          .filter((one) => one !== 'installment_plan' || bill.kind === 're_registration')
          .map((value) => ({ value, label: t(`exception.kinds.${value}`) }))}
        {...form.getInputProps('kind')}
        {...checks.field('kind')}
      />
      <Text size="sm">{t(`exception.help.${kind}`)}</Text>
      {kind === 'waiver' && (
        <MoneyInput
          label={t('exception.amount')}
          withAsterisk
          {...form.getInputProps('amount')}
          {...checks.field('amount')}
          onChange={(value) => form.setFieldValue('amount', value)}
        />
      )}
      {kind === 'discount' && (
        <DiscountSelect
          bill={bill}
          {...form.getInputProps('discountId')}
          {...checks.field('discountId')}
          sibling={{ ...form.getInputProps('siblingNumber'), ...checks.field('siblingNumber') } as SiblingField}
        />
      )}
      {kind === 'guarantee' && (
        <>
          <TextInput
            label={t('exception.sponsor')}
            withAsterisk
            maxLength={120}
            {...form.getInputProps('sponsor')}
            {...checks.field('sponsor')}
          />
          <TextInput
            label={t('exception.letter')}
            maxLength={80}
            {...form.getInputProps('letter')}
            {...checks.field('letter')}
          />
        </>
      )}
      {kind === 'due_date' && (
        <DatePickerInput
          label={t('exception.dueOn')}
          withAsterisk
          valueFormat="DD MMMM YYYY"
          minDate={new Date()}
          {...form.getInputProps('dueOn')}
          {...checks.field('dueOn')}
        />
      )}
      {kind === 'promise' && (
        <>
          <DatePickerInput
            label={t('exception.payBy')}
            withAsterisk
            valueFormat="DD MMMM YYYY"
            minDate={new Date()}
            {...form.getInputProps('payBy')}
            {...checks.field('payBy')}
          />
          <ProofDrop
            label={t('exception.proof')}
            proof={proof}
            onSent={setProof}
            error={checks.errorOf('proofFileId')}
          />
        </>
      )}
      {kind === 'installment_plan' && bill.registrationId && (
        <PlanSelect
          registrationId={bill.registrationId}
          {...form.getInputProps('installmentPlanId')}
          {...checks.field('installmentPlanId')}
        />
      )}
      <ReasonInput
        label={t('approval.reason')}
        description={t('reasonHelp')}
        {...form.getInputProps('reason')}
        {...checks.field('reason')}
      />
    </AskDialog>
  )
}

type FieldProps = {
  value?: string
  error?: unknown
  wrapperProps?: { 'data-field': string }
  onChange: (value: string) => void
}

function PlanSelect({ registrationId, value, error, wrapperProps, onChange }: FieldProps & { registrationId: string }) {
  const { t } = useDeskWords()
  const { data, error: failure } = useEndpoint(quoteReRegistration, { params: { id: registrationId }, query: {} })
  const missing = useMissing()
  return (
    <Select
      label={t('exception.plan')}
      withAsterisk
      allowDeselect={false}
      value={value || null}
      error={(error as string) ?? missing(t('exception.plan'), failure)}
      wrapperProps={wrapperProps}
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
