import { Alert, Button, Checkbox, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { manualMethods } from '#domain/payments/money/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { LookAlikes } from '#web/modules/payments/approvals/look-alikes.tsx'
import { ProofDrop } from '#web/modules/payments/approvals/proof-drop.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { BillSelect, type OwedBill } from '#web/modules/payments/bills/bill-select.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTimePicker } from '#web/ui/form/dates.ts'
import { PageForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type PaymentEntry, usePaymentEntry } from './use-payment-entry.ts'

/** Enters a cash payment or an ordinary transfer, which counts once a second account approves it. */
export default function EnterPaymentPage() {
  const { t } = useMoneyWords()
  const [search] = useSearchParams()
  const entry = usePaymentEntry()
  const { form } = entry
  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <Card>
        <PageForm
          form={form}
          submit={t('enter.send')}
          maw={560}
          beside={
            <Button
              component={Link}
              to="/pembayaran-mahasiswa"
              variant="default"
              children={t('common:actions.cancel')}
            />
          }
        >
          <Text c="dimmed">{t('enter.lead')}</Text>
          <BillAndAmount
            form={form}
            registrationId={search.get('registrationId') ?? undefined}
            firstBillId={search.get('billId')}
          />
          <div>
            <Text fw={500} size="sm" id="method">
              {t('enter.method')}
            </Text>
            <SegmentedControl
              aria-labelledby="method"
              value={form.values.method}
              onChange={(method) => form.set({ method })}
              data={manualMethods.map((value) => ({ value, label: t(`enter.methods.${value}`) }))}
            />
          </div>
          <DateTimePicker
            label={t('enter.paidAt')}
            valueFormat="DD MMMM YYYY HH:mm"
            maxDate={new Date()}
            {...form.value('paidAt')}
          />
          <TextInput label={t('enter.payer')} autoComplete="off" {...form.text('payerName')} />
          {form.values.method === 'transfer' && <TransferFields form={form} />}
          <Textarea label={t('enter.note')} autosize minRows={2} {...form.text('reason')} />
          {entry.lookAlikes.length > 0 && <RepetitionFields entry={entry} />}
        </PageForm>
      </Card>
    </>
  )
}

/** The bill, and how much of it was paid. */
function BillAndAmount({
  form,
  registrationId,
  firstBillId,
}: Pick<PaymentEntry, 'form'> & { registrationId: string | undefined; firstBillId: string | null }) {
  const { t } = useMoneyWords()
  const { values, set } = form
  const [bill, setBill] = useState<OwedBill | null>(null)
  return (
    <>
      <BillSelect
        label={t('enter.bill')}
        value={values.billId}
        {...form.field('billId')}
        registrationId={registrationId}
        firstBillId={firstBillId}
        onChange={(chosenBill) => {
          setBill(chosenBill)
          set({
            billId: chosenBill?.id ?? '',
            restWaits: false,
            ...(chosenBill && !values.payerName && { payerName: chosenBill.applicantName }),
          })
        }}
      />
      <MoneyInput
        label={t('enter.amount')}
        description={bill ? t('enter.rest', { amount: rupiah(bill.rest) }) : undefined}
        {...form.value('amount')}
      />
      {bill && values.amount > bill.rest && (
        <Checkbox
          label={t('enter.restWaits', { amount: rupiah(values.amount - bill.rest) })}
          checked={values.restWaits}
          onChange={({ currentTarget }) => set({ restWaits: currentTarget.checked })}
        />
      )}
      {bill && values.amount !== bill.rest && (
        <Button variant="default" size="compact-md" w="fit-content" onClick={() => set({ amount: bill.rest })}>
          {t('enter.wholeRest', { amount: rupiah(bill.rest) })}
        </Button>
      )}
    </>
  )
}

/** Fields only for a transfer: the bank's reference and a picture of the proof. */
function TransferFields({ form }: Pick<PaymentEntry, 'form'>) {
  const { t } = useMoneyWords()
  return (
    <>
      <TextInput
        label={t('enter.reference')}
        description={t('enter.referenceHelp')}
        withAsterisk
        autoComplete="off"
        {...form.text('reference')}
      />
      <div data-field="proofFileId">
        <ProofDrop
          label={t('enter.proof')}
          proof={form.values.proof}
          onSent={(proof) => form.set({ proof })}
          error={form.errorOf('proofFileId')}
        />
      </div>
    </>
  )
}

/** Similar payments, and why this is another one. */
function RepetitionFields({ entry }: { entry: PaymentEntry }) {
  const { t } = useMoneyWords()
  return (
    <>
      <Alert color="orange" variant="light" role="alert">
        <Text fw={600} size="sm">
          {t('approvals:look.title')}
        </Text>
        {t('approvals:look.text')}
      </Alert>
      <LookAlikes lookAlikes={entry.lookAlikes} />
      <ReasonInput
        label={t('approvals:look.another')}
        description={t('approvals:reasonHelp')}
        {...entry.form.text('another')}
      />
    </>
  )
}
