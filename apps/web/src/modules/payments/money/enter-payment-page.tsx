import { Alert, Button, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { universityCalendar } from '#domain/calendar.ts'
import type { LookAlike } from '#domain/payments/approvals/endpoints.ts'
import { enterPayment, manualMethods } from '#domain/payments/money/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { LookAlikes } from '#web/modules/payments/approvals/look-alikes.tsx'
import { type Proof, ProofDrop } from '#web/modules/payments/approvals/proof-drop.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { BillSelect, type OwedBill } from '#web/modules/payments/bills/bill-select.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

/** Enters a cash payment or an ordinary transfer; the payment counts once a second account approves it. */
export default function EnterPaymentPage() {
  const { t } = useMoneyWords()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [bill, setBill] = useState<OwedBill | null>(null)
  const [proof, setProof] = useState<Proof | null>(null)
  const [lookAlikes, setLookAlikes] = useState<LookAlike[]>([])
  const payment = useValues({
    billId: '',
    amount: 0,
    method: 'cash' as (typeof manualMethods)[number],
    paidAt: thisMinute() as string | null,
    payerName: '',
    reference: '',
    reason: '',
  })
  const [repetitionReason, setRepetitionReason] = useState('')
  const { reference, reason, paidAt, ...values } = payment.values
  // A changed payment has other look-alikes.
  const paymentKey = JSON.stringify([payment.values, proof?.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the payment changes
  useEffect(() => setLookAlikes([]), [paymentKey])
  const body = {
    ...values,
    paidAt: paidAt ? universityCalendar().momentOf(paidAt).toISOString() : '',
    ...(values.method === 'transfer' && reference.trim() && { reference: reference.trim() }),
    ...(proof && { proofFileId: proof.id }),
    ...(reason.trim() && { reason: reason.trim() }),
    ...(lookAlikes.length > 0 && {
      another: { seen: lookAlikes.map(({ id }) => id), reason: repetitionReason.trim() },
    }),
  }
  const form = useForm({
    call: enterPayment,
    body,
    done: t('enter.sent'),
    onDone: () => navigate('/persetujuan?status=pending'),
    onRefused: ({ code, data }) => {
      if (code === 'look_alikes') setLookAlikes(data?.lookAlikes as LookAlike[])
    },
    shownAs: { 'another.reason': 'another' },
  })
  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <Card>
        <PageForm
          form={{ ...form, unsaid: form.refusal?.code === 'look_alikes' ? null : form.unsaid }}
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
          <BillSelect
            label={t('enter.bill')}
            value={values.billId}
            {...form.field('billId')}
            registrationId={search.get('registrationId') ?? undefined}
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
            <Button
              variant="default"
              size="compact-md"
              w="fit-content"
              onClick={() => payment.set({ amount: bill.rest })}
            >
              {t('enter.wholeRest', { amount: rupiah(bill.rest) })}
            </Button>
          )}
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
          {values.method === 'transfer' && (
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
                <ProofDrop
                  label={t('enter.proof')}
                  proof={proof}
                  onSent={setProof}
                  error={form.errorOf('proofFileId')}
                />
              </div>
            </>
          )}
          <Textarea
            label={t('enter.note')}
            autosize
            minRows={2}
            {...payment.text('reason')}
            {...form.field('reason')}
          />
          {lookAlikes.length > 0 && (
            <>
              <Alert color="orange" variant="light" role="alert">
                <Text fw={600} size="sm">
                  {t('approvals:look.title')}
                </Text>
                {t('approvals:look.text')}
              </Alert>
              <LookAlikes lookAlikes={lookAlikes} />
              <ReasonInput
                label={t('approvals:look.another')}
                description={t('approvals:reasonHelp')}
                value={repetitionReason}
                onChange={(event) => setRepetitionReason(event.currentTarget.value)}
                {...form.field('another')}
              />
            </>
          )}
        </PageForm>
      </Card>
    </>
  )
}

/** Current minute in the format of the picker. */
const thisMinute = () => `${universityCalendar().wallTime(new Date()).slice(0, 16)}:00`
