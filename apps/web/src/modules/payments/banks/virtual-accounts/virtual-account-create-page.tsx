import { Alert, Button, Select, Stack, Text } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  createVirtualAccount,
  findPayableBills,
  listBanks,
  type PayableBill,
} from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import type { AmountType } from '#domain/payments/providers/amount-types.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useForm } from '#web/api/use-form.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed, useMissing } from '#web/ui/missing.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

/** A number for a bill or one of its instalments, when the applicant cannot ask for it. */
export default function VirtualAccountCreatePage() {
  const { t } = useTranslation('banks')
  const { say, language } = useSurroundings()
  const navigate = useNavigate()
  const [bill, setBill] = useState<PayableBill | null>(null)
  const [installmentId, setInstallment] = useState<string | null>(null)
  const [bank, setBank] = useState<string | null>(null)
  const [amountType, setAmountType] = useState<AmountType | null>(null)
  const [expiresOn, setExpiresOn] = useState<string | null>(null)
  const banks = useEndpoint(listBanks)
  const offered = (banks.data?.data ?? []).filter((one) => one.offered)
  const chosen = offered.find(({ code }) => code === bank) ?? offered[0]

  const form = useForm({
    call: createVirtualAccount,
    body: {
      billId: bill?.id ?? '',
      bank: chosen?.code ?? '',
      ...(installmentId && { installmentId }),
      ...(amountType && { amountType }),
      ...(expiresOn && { expiresOn }),
    },
    onDone: ({ data }) => {
      notifications.show({
        color: data.status === 'pending' ? 'orange' : 'green',
        message: t(data.status === 'pending' ? 'pending' : 'made'),
      })
      navigate(`/transaksi-va/${data.id}`)
    },
  })

  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <PageForm
        form={form}
        submit={t('create.submit')}
        button={{ disabled: offered.length === 0 }}
        gap={20}
        maw={640}
        beside={<Button component={Link} to="/transaksi-va" variant="subtle" children={say('actions.cancel')} />}
      >
        <Card>
          <Stack gap="md">
            <BillSelect
              bill={bill}
              {...form.field('billId')}
              onChange={(next) => {
                setBill(next)
                setInstallment(null)
              }}
            />
            {bill && bill.installments.length > 0 && (
              <Select
                size="sm"
                label={t('create.part')}
                placeholder={t('create.next')}
                clearable
                data={bill.installments.map(({ id, position, remaining, dueAt }) => ({
                  value: id,
                  label: t('create.partOption', {
                    position,
                    amount: rupiah(remaining),
                    due: longDate(dueAt, language),
                  }),
                }))}
                value={installmentId}
                onChange={setInstallment}
                {...form.field('installmentId')}
              />
            )}
            {!banks.data ? (
              <LoadingOrFailed what={t('create.bank')} error={banks.error} onRetry={banks.refetch} rows={1} />
            ) : offered.length === 0 ? (
              <Alert color="orange" variant="light" children={t('create.bankNone')} />
            ) : (
              <Select
                size="sm"
                label={t('create.bank')}
                data={offered.map(({ code, name }) => ({ value: code, label: name }))}
                value={chosen?.code ?? null}
                {...form.field('bank')}
                allowDeselect={false}
                onChange={(next) => {
                  setBank(next)
                  setAmountType(null)
                }}
              />
            )}
            {chosen && chosen.amountTypes.length > 1 && (
              <Select
                size="sm"
                label={t('create.amountType')}
                data={chosen.amountTypes.map((value) => ({ value, label: t(`amountTypes.${value}`) }))}
                value={amountType ?? chosen.amountType}
                allowDeselect={false}
                onChange={(value) => setAmountType(value as AmountType)}
                {...form.field('amountType')}
              />
            )}
            <DatePickerInput
              size="sm"
              label={t('create.expiresOn')}
              description={t('create.expiresHelp')}
              value={expiresOn}
              {...form.field('expiresOn')}
              minDate={new Date()}
              clearable
              clearButtonProps={{ 'aria-label': say('actions.remove') }}
              onChange={setExpiresOn}
            />
            <Text size="sm" c="dimmed">
              {t('create.replaces')}
            </Text>
          </Stack>
        </Card>
      </PageForm>
    </>
  )
}

type BillSelectProps = CheckedField & {
  bill: PayableBill | null
  onChange: (bill: PayableBill | null) => void
}

/** Finds a bill while one types; a bill whose number stands in the address is chosen at once. */
function BillSelect({ bill, error, onChange, ...field }: BillSelectProps) {
  const { t } = useTranslation('banks')
  const words = useTranslation('bills').t
  const [params] = useSearchParams()
  const named = params.get('q')
  const [typed, setTyped] = useState(named ?? '')
  const [q] = useDebouncedValue(typed.trim(), 250)
  const asks = q.length >= 2
  const missing = useMissing()
  const { data, error: failure } = useEndpoint(findPayableBills, { query: { q } }, { enabled: asks })
  const found = asks ? (data?.data ?? []) : []
  const meant = named ? data?.data.find(({ number }) => number === named) : undefined
  const chosen = useRef(false)
  useEffect(() => {
    if (!meant || chosen.current) return
    chosen.current = true
    onChange(meant)
  }, [meant, onChange])
  const shown = bill && !found.some(({ id }) => id === bill.id) ? [bill, ...found] : found
  return (
    <Select
      size="sm"
      label={t('create.bill')}
      description={t('create.billHelp')}
      {...field}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={asks ? t('create.billNone') : t('create.billSearch')}
      data={shown.map(({ id, number, kind, applicantName, remaining }) => ({
        value: id,
        label: `${number} · ${applicantName} · ${words(`kind.${kind}`)} · ${t('create.left', { amount: rupiah(remaining) })}`,
      }))}
      value={bill?.id ?? null}
      error={error ?? missing(t('create.bill'), failure)}
      onChange={(id) => onChange(shown.find((one) => one.id === id) ?? null)}
    />
  )
}
