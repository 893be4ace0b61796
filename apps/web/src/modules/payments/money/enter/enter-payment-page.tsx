import { Alert, Button, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
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
  const { payment, form } = entry
  const { values } = payment
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
          <BillAndAmount entry={entry} registrationId={search.get('registrationId') ?? undefined} />
          <div>
            <Text fw={500} size="sm" id="method">
              {t('enter.method')}
            </Text>
            <SegmentedControl
              aria-labelledby="method"
              value={values.method}
              onChange={(method) => payment.set({ method: method as 'cash' })}
              data={manualMethods.map((value) => ({ value, label: t(`enter.methods.${value}`) }))}
            />
          </div>
          <DateTimePicker
            label={t('enter.paidAt')}
            valueFormat="DD MMMM YYYY HH:mm"
            maxDate={new Date()}
            {...payment.value('paidAt')}
            {...form.field('paidAt')}
          />
          <TextInput
            label={t('enter.payer')}
            autoComplete="off"
            {...payment.text('payerName')}
            {...form.field('payerName')}
          />
          {values.method === 'transfer' && <TransferFields entry={entry} />}
          <Textarea
            label={t('enter.note')}
            autosize
            minRows={2}
            {...payment.text('reason')}
            {...form.field('reason')}
          />
          {entry.lookAlikes.length > 0 && <RepetitionFields entry={entry} />}
        </PageForm>
      </Card>
    </>
  )
}

/** The bill, and how much of it was paid. */
function BillAndAmount({
  entry: { payment, form },
  registrationId,
}: {
  entry: PaymentEntry
  registrationId: string | undefined
}) {
  const { t } = useMoneyWords()
  const { values } = payment
  const [bill, setBill] = useState<OwedBill | null>(null)
  return (
    <>
      <BillSelect
        label={t('enter.bill')}
        value={values.billId}
        {...form.field('billId')}
        registrationId={registrationId}
        onChange={(chosenBill) => {
          setBill(chosenBill)
          payment.set({
            billId: chosenBill?.id ?? '',
            ...(chosenBill && !values.payerName && { payerName: chosenBill.applicantName }),
          })
        }}
      />
      <MoneyInput
        label={t('enter.amount')}
        description={bill ? t('enter.rest', { amount: rupiah(bill.rest) }) : undefined}
        {...payment.value('amount')}
        {...form.field('amount')}
      />
      {bill && values.amount !== bill.rest && (
        <Button variant="default" size="compact-md" w="fit-content" onClick={() => payment.set({ amount: bill.rest })}>
          {t('enter.wholeRest', { amount: rupiah(bill.rest) })}
        </Button>
      )}
    </>
  )
}

/** Fields only for a transfer: the bank's reference and a picture of the proof. */
function TransferFields({ entry: { payment, form, proof, setProof } }: { entry: PaymentEntry }) {
  const { t } = useMoneyWords()
  return (
    <>
      <TextInput
        label={t('enter.reference')}
        description={t('enter.referenceHelp')}
        withAsterisk
        autoComplete="off"
        {...payment.text('reference')}
        {...form.field('reference')}
      />
      <div data-field="proofFileId">
        <ProofDrop label={t('enter.proof')} proof={proof} onSent={setProof} error={form.errorOf('proofFileId')} />
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
        value={entry.repetitionReason}
        onChange={(event) => entry.setRepetitionReason(event.currentTarget.value)}
        {...entry.form.field('another')}
      />
    </>
  )
}
