import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import {
  enterVoucher,
  listVouchers,
  removeVoucher,
  type VouchersOfRegistration,
  type VoucherUse,
} from '#domain/payments/bills/vouchers/endpoints.ts'
import { percent, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { forgetVoucher, keptVoucher } from '#web/modules/accounts/referral.ts'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Money } from '#web/ui/text/money.tsx'
import classes from './bills.module.css'

/** Applicants enter a voucher and see the discount. */
export default function VoucherPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation(['bills', 'common'])
  const title = useScreenTitle()
  const { data, error, refetch } = useEndpoint(listVouchers, { params: { id } })
  if (!data && error) return <RecordFailed error={error} onRetry={refetch} />
  const entry = data?.data
  return (
    <>
      <PageHeader
        title={title}
        description={entry && `${entry.registration.code} · ${entry.registration.applicantName}`}
      />
      <div className={classes.column}>
        {!entry ? (
          <LoadingRows rows={4} height={48} />
        ) : (
          <>
            <Card>
              {entry.refusal ? (
                <Alert color="orange" variant="light" children={entry.refusal} />
              ) : (
                <VoucherEntry id={id} />
              )}
            </Card>
            <Card title={t('voucher.entered')}>
              <EnteredVouchers id={id} entry={entry} />
            </Card>
            <Group>
              <Button component={Link} to={`/pendaftaran/${id}/pembayaran`} mih={44}>
                {t('voucher.toPayment')}
              </Button>
              <Button component={Link} to={`/pendaftaran/${id}`} variant="subtle" mih={44}>
                {t('pay.toRegistration')}
              </Button>
            </Group>
          </>
        )}
      </div>
    </>
  )
}

function VoucherEntry({ id }: { id: string }) {
  const { t } = useTranslation('bills')
  const [accepted, setAccepted] = useState(false)
  const form = useForm({
    call: enterVoucher,
    params: { id },
    // A code from an affiliate's link waits on the device until it is used.
    start: () => ({ code: keptVoucher() ?? '' }),
    body: ({ code }) => ({ code: code.trim() }),
    onDone: () => {
      form.reset({ code: '' })
      forgetVoucher()
      setAccepted(true)
    },
    onRefused: () => setAccepted(false),
  })
  return (
    <PageForm
      form={form}
      submit={t('voucher.use')}
      button={{ mih: 44 }}
      gap="sm"
      layOut={(send) => (
        <>
          <div>{send}</div>
          <div role="status">
            {accepted && <Alert color="green" variant="light" children={t('voucher.accepted')} />}
          </div>
        </>
      )}
    >
      <TextInput
        label={t('voucher.code')}
        description={t('voucher.codeHelp')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.text('code')}
      />
    </PageForm>
  )
}

function EnteredVouchers({ id, entry }: { id: string; entry: VouchersOfRegistration }) {
  const { t } = useTranslation('bills')
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: (useId: string) => sendOnce(removeVoucher, { params: { id, useId } }),
    onSuccess: () => queries.invalidateQueries(),
  })
  if (entry.vouchers.length === 0) return <Text c="dimmed">{t('voucher.none')}</Text>
  return (
    <Entries>
      {entry.vouchers.map((voucherUse) => (
        <Entry
          key={voucherUse.id}
          title={
            <>
              <Text fw={600}>{voucherUse.code}</Text>
              <Text size="sm" c="dimmed">
                <Worth voucherUse={voucherUse} />
              </Text>
              <Text size="sm" c="dimmed">
                {voucherUse.amount === null &&
                  t(entry.bills.some(({ kind }) => kind === voucherUse.on) ? 'voucher.unused' : 'voucher.later')}
              </Text>
            </>
          }
          end={
            <>
              {voucherUse.amount !== null && <Money amount={-voucherUse.amount} />}
              {voucherUse.removable && (
                <ConfirmButton
                  variant="subtle"
                  size="compact-sm"
                  title={t('voucher.removeTitle', { code: voucherUse.code })}
                  message={t('voucher.removeText')}
                  onConfirm={() => removal.mutateAsync(voucherUse.id)}
                  children={t('voucher.remove')}
                />
              )}
            </>
          }
        />
      ))}
    </Entries>
  )
}

function Worth({ voucherUse }: { voucherUse: VoucherUse }) {
  const { t } = useTranslation('bills')
  const worth = voucherUse.kind === 'percent' ? percent(voucherUse.value / 100) : rupiah(voucherUse.value)
  return t('voucher.worth', { worth, discount: voucherUse.discount, kind: t(`kind.${voucherUse.on}`).toLowerCase() })
}
