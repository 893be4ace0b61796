import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { universityCalendar } from '#domain/calendar.ts'
import { enterPayment, type LookAlike, listApprovals, manualMethods } from '#domain/payments/desk-endpoints.ts'
import { rupiah } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useScreenTitle } from '#web/app/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ReasonInput } from '#web/ui/reason-input.tsx'
import { BillSelect, type OwedBill } from './bill-select.tsx'
import { LookAlikes } from './look-alikes.tsx'
import { MoneyInput } from './money-input.tsx'
import { type Proof, ProofDrop } from './proof-drop.tsx'
import { useDeskWords } from './words.ts'

/** Money that came as cash or by an ordinary transfer: entered here, counted once another one has approved it. */
export default function EnterPaymentPage() {
  const sendEnterPayment = useSend(enterPayment)
  const { t } = useDeskWords()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [search] = useSearchParams()
  const [bill, setBill] = useState<OwedBill | null>(null)
  const [proof, setProof] = useState<Proof | null>(null)
  const [lookAlikes, setLookAlikes] = useState<LookAlike[]>([])
  const form = useForm({
    initialValues: {
      billId: '',
      amount: 0,
      method: 'cash' as (typeof manualMethods)[number],
      paidAt: thisMinute(),
      payerName: '',
      reference: '',
      reason: '',
      another: '',
    },
    onValuesChange: (values, before) => {
      if (values.another === before.another) setLookAlikes([])
    },
  })
  const { reference, reason, another, paidAt, ...values } = form.values
  const body = {
    ...values,
    paidAt: paidAt ? universityCalendar().momentOf(paidAt).toISOString() : '',
    ...(values.method === 'transfer' && reference.trim() && { reference: reference.trim() }),
    ...(proof && { proofFileId: proof.id }),
    ...(reason.trim() && { reason: reason.trim() }),
    ...(lookAlikes.length > 0 && {
      another: { seen: lookAlikes.map(({ id }) => id), reason: another.trim() },
    }),
  }
  const sending = useMutation<unknown, ApiError, void>({
    mutationFn: () => sendEnterPayment({ body }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('enter.sent') })
      void queries.invalidateQueries({ queryKey: keyOf(listApprovals) })
      navigate('/persetujuan?status=pending')
    },
    onError: (error) => {
      if (error.code === 'look_alikes') setLookAlikes(error.data?.lookAlikes as LookAlike[])
    },
  })
  const checks = useChecks(enterPayment, body, { refusal: sending.error, shownAs: { 'another.reason': 'another' } })
  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <Card>
        <form
          {...checks.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!sending.isPending && checks.isReady()) sending.mutate()
          }}
        >
          <Stack gap="md" maw={560}>
            <Text c="dimmed">{t('enter.lead')}</Text>
            <BillSelect
              label={t('enter.bill')}
              value={form.values.billId}
              {...checks.field('billId')}
              registrationId={search.get('registrationId') ?? undefined}
              onChange={(chosen) => {
                setBill(chosen)
                form.setFieldValue('billId', chosen?.id ?? '')
                if (chosen && !form.values.payerName) form.setFieldValue('payerName', chosen.applicantName)
              }}
            />
            <MoneyInput
              label={t('enter.amount')}
              withAsterisk
              description={bill ? t('enter.rest', { amount: rupiah(bill.rest) }) : undefined}
              value={form.values.amount}
              {...checks.field('amount')}
              onChange={(amount) => form.setFieldValue('amount', amount)}
            />
            {bill && form.values.amount !== bill.rest && (
              <Button
                variant="default"
                size="compact-md"
                w="fit-content"
                onClick={() => form.setFieldValue('amount', bill.rest)}
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
                value={form.values.method}
                onChange={(method) => form.setFieldValue('method', method as 'cash')}
                data={manualMethods.map((value) => ({ value, label: t(`enter.methods.${value}`) }))}
              />
            </div>
            <DateTimePicker
              label={t('enter.paidAt')}
              withAsterisk
              valueFormat="DD MMMM YYYY HH:mm"
              maxDate={new Date()}
              {...form.getInputProps('paidAt')}
              {...checks.field('paidAt')}
            />
            <TextInput
              label={t('enter.payer')}
              withAsterisk
              maxLength={120}
              autoComplete="off"
              {...form.getInputProps('payerName')}
              {...checks.field('payerName')}
            />
            {form.values.method === 'transfer' && (
              <>
                <TextInput
                  label={t('enter.reference')}
                  description={t('enter.referenceHelp')}
                  withAsterisk
                  maxLength={60}
                  autoComplete="off"
                  {...form.getInputProps('reference')}
                  {...checks.field('reference')}
                />
                <div data-field="proofFileId">
                  <ProofDrop
                    label={t('enter.proof')}
                    proof={proof}
                    onSent={(sent) => {
                      setProof(sent)
                      setLookAlikes([])
                    }}
                    error={checks.errorOf('proofFileId')}
                  />
                </div>
              </>
            )}
            <Textarea
              label={t('enter.note')}
              autosize
              minRows={2}
              maxLength={500}
              {...form.getInputProps('reason')}
              {...checks.field('reason')}
            />
            {lookAlikes.length > 0 && (
              <>
                <Alert color="orange" variant="light" role="alert">
                  <Text fw={600} size="sm">
                    {t('look.title')}
                  </Text>
                  {t('look.text')}
                </Alert>
                <LookAlikes found={lookAlikes} />
                <ReasonInput
                  label={t('look.another')}
                  description={t('reasonHelp')}
                  {...form.getInputProps('another')}
                  {...checks.field('another')}
                />
              </>
            )}
            {sending.error?.code !== 'look_alikes' && <Failure>{checks.unsaid}</Failure>}
            <Group>
              <Button type="submit" loading={sending.isPending} children={t('enter.send')} />
              <Button
                component={Link}
                to="/pembayaran-mahasiswa"
                variant="default"
                children={t('common:actions.cancel')}
              />
            </Group>
          </Stack>
        </form>
      </Card>
    </>
  )
}

/** This minute as the picker writes it. */
const thisMinute = () => `${universityCalendar().wallTime(new Date()).slice(0, 16)}:00`
