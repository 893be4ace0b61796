import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { listRegistrationBills, quoteReRegistration } from '#domain/payments/endpoints.ts'
import {
  enterVoucher,
  listVouchers,
  removeVoucher,
  type VouchersOfRegistration,
  type VoucherUse,
} from '#domain/payments/voucher-endpoints.ts'
import { percent, rupiah } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useScreenTitle } from '#web/app/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { LoadFailed } from '#web/ui/load-failed.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { Money } from '#web/ui/money.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import classes from './payments.module.css'

/** Where an applicant enters a voucher and sees what it takes off. */
export default function VoucherPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation(['payments', 'common'])
  const title = useScreenTitle()
  const { data, error, refetch } = useEndpoint(listVouchers, { params: { id } })
  if (!data && error) return <LoadFailed error={error} onRetry={refetch} />
  const held = data?.data
  return (
    <>
      <PageHeader
        title={title}
        description={held && `${held.registration.code} · ${held.registration.applicantName}`}
      />
      <div className={classes.column}>
        {!held ? (
          <LoadingRows rows={4} height={48} />
        ) : (
          <>
            <Card>
              {held.refusal ? <Alert color="orange" variant="light" children={held.refusal} /> : <Entry id={id} />}
            </Card>
            <Card title={t('voucher.entered')}>
              <Entered id={id} held={held} />
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

/** After a voucher comes or goes, its list is known and what it changes is asked for anew. */
function useVoucherChange<T>(id: string, change: (wanted: T) => Promise<{ data: VouchersOfRegistration }>) {
  const queries = useQueryClient()
  return useMutation<{ data: VouchersOfRegistration }, ApiError, T>({
    mutationFn: change,
    onSuccess: (answer) => {
      queries.setQueryData(keyOf(listVouchers, { params: { id } }), answer)
      for (const endpoint of [listRegistrationBills, quoteReRegistration])
        void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
    },
  })
}

function Entry({ id }: { id: string }) {
  const send = useSend(enterVoucher)
  const { t } = useTranslation('payments')
  const [code, setCode] = useState('')
  const entering = useVoucherChange(id, (typed: string) => send({ params: { id }, body: { code: typed } }))
  const checks = useChecks(enterVoucher, { code: code.trim() }, { refusal: entering.error })
  return (
    <form
      {...checks.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (entering.isPending || !checks.isReady()) return
        entering.mutate(code.trim(), {
          onSuccess: () => {
            checks.reset({ code: '' })
            setCode('')
          },
        })
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t('voucher.code')}
          description={t('voucher.codeHelp')}
          value={code}
          maxLength={20}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...checks.field('code')}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Failure>{checks.unsaid}</Failure>
        <Button type="submit" mih={44} loading={entering.isPending} w="fit-content">
          {t('voucher.use')}
        </Button>
        <div role="status">
          {entering.isSuccess && <Alert color="green" variant="light" children={t('voucher.accepted')} />}
        </div>
      </Stack>
    </form>
  )
}

function Entered({ id, held }: { id: string; held: VouchersOfRegistration }) {
  const send = useSend(removeVoucher)
  const { t } = useTranslation('payments')
  const removing = useVoucherChange(id, (useId: string) => send({ params: { id, useId } }))
  if (held.vouchers.length === 0) return <Text c="dimmed">{t('voucher.none')}</Text>
  return (
    <ul className={classes.parts}>
      {held.vouchers.map((use) => (
        <li className={classes.part} key={use.id}>
          <div>
            <Text fw={600}>{use.code}</Text>
            <Text size="sm" c="dimmed">
              <Worth use={use} />
            </Text>
            <Text size="sm" c="dimmed">
              {use.amount === null &&
                t(held.bills.some(({ kind }) => kind === use.on) ? 'voucher.unused' : 'voucher.later')}
            </Text>
          </div>
          <span className={classes.end}>
            {use.amount !== null && <Money amount={-use.amount} />}
            {use.removable && (
              <ConfirmButton
                variant="subtle"
                size="compact-sm"
                title={t('voucher.removeTitle', { code: use.code })}
                message={t('voucher.removeText')}
                onConfirm={() => removing.mutateAsync(use.id)}
                children={t('voucher.remove')}
              />
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Worth({ use }: { use: VoucherUse }) {
  const { t } = useTranslation('payments')
  const worth = use.kind === 'percent' ? percent(use.value / 100) : rupiah(use.value)
  return t('voucher.worth', { worth, discount: use.discount, kind: t(`kind.${use.on}`).toLowerCase() })
}
