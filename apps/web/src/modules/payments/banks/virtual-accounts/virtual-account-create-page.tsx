import { Alert, Button, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { createVirtualAccount, listBanks, type PayableBill } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import type { AmountType } from '#domain/payments/providers/amount-types.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { useForm } from '#web/api/use-form.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { PayableBillSelect } from './payable-bill-select.tsx'

/** The request: a bank's number for a bill or one of its instalments. */
function useNumberRequest() {
  const { t } = useTranslation('banks')
  const navigate = useNavigate()
  const banks = useEndpoint(listBanks)
  const offeredBanks = (banks.data?.data ?? []).filter((candidate) => candidate.offered)
  const bankOf = (bank: string | null) => offeredBanks.find(({ code }) => code === bank) ?? offeredBanks[0]

  const form = useForm({
    call: createVirtualAccount,
    start: {
      bill: null as PayableBill | null,
      installmentId: null as string | null,
      bank: null as string | null,
      amountType: null as AmountType | null,
      expiresOn: null as string | null,
    },
    body: ({ bill, installmentId, bank, amountType, expiresOn }) => ({
      billId: bill?.id ?? '',
      bank: bankOf(bank)?.code ?? '',
      ...(installmentId && { installmentId }),
      ...(amountType && { amountType }),
      ...(expiresOn && { expiresOn }),
    }),
    onDone: ({ data }) => {
      notifications.show({
        color: data.status === 'pending' ? 'orange' : 'green',
        message: t(data.status === 'pending' ? 'pending' : 'made'),
      })
      navigate(`/transaksi-va/${data.id}`)
    },
  })

  return { form, banks, offeredBanks, chosenBank: bankOf(form.values.bank) }
}

/** Creates a number for a bill or instalment, for applicants who cannot request it themselves. */
export default function VirtualAccountCreatePage() {
  const { t } = useTranslation('banks')
  const { say } = useSurroundings()
  const wayBack = useWayBack()
  const { form, banks, offeredBanks, chosenBank } = useNumberRequest()
  const { bill, amountType } = form.values
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
            <PayableBillSelect
              bill={bill}
              {...form.field('billId')}
              onChange={(chosenBill) => form.set({ bill: chosenBill, installmentId: null })}
            />
            {bill && bill.installments.length > 0 && (
              <InstallmentSelect installments={bill.installments} {...form.value('installmentId')} />
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
                onChange={(bank) => form.set({ bank, amountType: null })}
              />
            )}
            {chosenBank && chosenBank.amountTypes.length > 1 && (
              <Select
                size="sm"
                label={t('create.amountType')}
                data={chosenBank.amountTypes.map((value) => ({ value, label: t(`amountTypes.${value}`) }))}
                allowDeselect={false}
                {...form.value('amountType')}
                value={amountType ?? chosenBank.amountType}
              />
            )}
            <DatePickerInput
              size="sm"
              label={t('create.expiresOn')}
              description={t('create.expiresHelp')}
              minDate={new Date()}
              clearable
              clearButtonProps={{ 'aria-label': say('actions.remove') }}
              {...form.value('expiresOn')}
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

type InstallmentProps = CheckedField & {
  installments: PayableBill['installments']
  value: string | null
  onChange: (id: string | null) => void
}

/** Instalment the number is for; by default the next one due. */
function InstallmentSelect({ installments, ...select }: InstallmentProps) {
  const { t } = useTranslation('banks')
  const { language } = useSurroundings()
  return (
    <Select
      size="sm"
      label={t('create.part')}
      placeholder={t('create.next')}
      clearable
      data={installments.map(({ id, position, remaining, dueAt }) => ({
        value: id,
        label: t('create.partOption', {
          position,
          amount: rupiah(remaining),
          due: longDate(dueAt, language),
        }),
      }))}
      {...select}
    />
  )
}
