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
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed, useMissing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

/** Creates a number for a bill or an instalment, for applicants who cannot request it themselves. */
export default function VirtualAccountCreatePage() {
  const { t } = useTranslation('banks')
  const { say, language } = useSurroundings()
  const navigate = useNavigate()
  const wayBack = useWayBack()
  const [bill, setBill] = useState<PayableBill | null>(null)
  const [installmentId, setInstallment] = useState<string | null>(null)
  const [bank, setBank] = useState<string | null>(null)
  const [amountType, setAmountType] = useState<AmountType | null>(null)
  const [expiresOn, setExpiresOn] = useState<string | null>(null)
  const banks = useEndpoint(listBanks)
  const offeredBanks = (banks.data?.data ?? []).filter((candidate) => candidate.offered)
  const chosenBank = offeredBanks.find(({ code }) => code === bank) ?? offeredBanks[0]

  const form = useForm({
    call: createVirtualAccount,
    body: {
      billId: bill?.id ?? '',
      bank: chosenBank?.code ?? '',
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
        button={{ disabled: offeredBanks.length === 0 }}
        gap={20}
        maw={640}
        beside={
          <Button component={Link} {...wayBack('/transaksi-va')} variant="subtle" children={say('actions.cancel')} />
        }
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
            ) : offeredBanks.length === 0 ? (
              <Alert color="orange" variant="light" children={t('create.bankNone')} />
            ) : (
              <Select
                size="sm"
                label={t('create.bank')}
                data={offeredBanks.map(({ code, name }) => ({ value: code, label: name }))}
                value={chosenBank?.code ?? null}
                {...form.field('bank')}
                allowDeselect={false}
                onChange={(next) => {
                  setBank(next)
                  setAmountType(null)
                }}
              />
            )}
            {chosenBank && chosenBank.amountTypes.length > 1 && (
              <Select
                size="sm"
                label={t('create.amountType')}
                data={chosenBank.amountTypes.map((value) => ({ value, label: t(`amountTypes.${value}`) }))}
                value={amountType ?? chosenBank.amountType}
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

/** Searches bills; a bill whose number stands in the address is selected at once. */
function BillSelect({ bill, error, onChange, ...field }: BillSelectProps) {
  const { t } = useTranslation('banks')
  const words = useTranslation('bills').t
  const [params] = useSearchParams()
  const numberInAddress = params.get('q')
  const [searchText, setSearchText] = useState(numberInAddress ?? '')
  const [q] = useDebouncedValue(searchText.trim(), 250)
  const hasQuery = q.length >= 2
  const missing = useMissing()
  const { data, error: failure } = useEndpoint(findPayableBills, { query: { q } }, { enabled: hasQuery })
  const foundBills = hasQuery ? (data?.data ?? []) : []
  const addressBill = numberInAddress ? data?.data.find(({ number }) => number === numberInAddress) : undefined
  const hasPreset = useRef(false)
  useEffect(() => {
    if (!addressBill || hasPreset.current) return
    hasPreset.current = true
    onChange(addressBill)
  }, [addressBill, onChange])
  const billOptions = bill && !foundBills.some(({ id }) => id === bill.id) ? [bill, ...foundBills] : foundBills
  return (
    <Select
      size="sm"
      label={t('create.bill')}
      description={t('create.billHelp')}
      {...field}
      searchable
      searchValue={searchText}
      onSearchChange={setSearchText}
      filter={({ options }) => options}
      nothingFoundMessage={hasQuery ? t('create.billNone') : t('create.billSearch')}
      data={billOptions.map(({ id, number, kind, applicantName, remaining }) => ({
        value: id,
        label: `${number} · ${applicantName} · ${words(`kind.${kind}`)} · ${t('create.left', { amount: rupiah(remaining) })}`,
      }))}
      value={bill?.id ?? null}
      error={error ?? missing(t('create.bill'), failure)}
      onChange={(id) => onChange(billOptions.find((option) => option.id === id) ?? null)}
    />
  )
}
