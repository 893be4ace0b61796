import { Group, Select, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import {
  askVirtualAccount,
  cancelVirtualAccount,
  listBanks,
  reissueVirtualAccount,
  type VirtualAccountDetail,
} from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { isOpen } from '#domain/payments/bills/virtual-account-status.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { useNumberAction } from './use-number-action.ts'

type Props = { account: VirtualAccountDetail }

/** Everything that may be done with a number; what may not says why. */
export function NumberActions({ account }: Props) {
  const send = useSend(askVirtualAccount)
  const { t } = useTranslation('banks')
  const { may } = useSession()
  const { act, running } = useNumberAction(account.id)
  const [asking, setAsking] = useState<'cancel' | 'reissue' | null>(null)
  if (!may('transaksi-va-update')) return null
  const ask = () =>
    act(
      'ask',
      () => send({ params: { id: account.id } }),
      ({ meta }) => t('actions.askFound', { count: meta.found }),
    )
  return (
    <Group gap="sm">
      <DisabledReason
        variant="default"
        reason={account.number ? null : t('actions.noNumber')}
        loading={running === 'ask'}
        onClick={ask}
      >
        {t('actions.ask')}
      </DisabledReason>
      <DisabledReason
        variant="default"
        reason={isOwed(account.billStatus) ? null : t('actions.notOwed')}
        onClick={() => setAsking('reissue')}
      >
        {t('actions.reissue')}
      </DisabledReason>
      <DisabledReason
        variant="outline"
        color="red.9"
        reason={isOpen(account.status) ? null : t('actions.notOpen')}
        onClick={() => setAsking('cancel')}
      >
        {t('actions.cancel')}
      </DisabledReason>
      {asking && <ReasonDialog account={account} what={asking} onClose={() => setAsking(null)} />}
    </Group>
  )
}

/** Says what will happen and asks why, before it happens. */
function ReasonDialog({ account, what, onClose }: Props & { what: 'cancel' | 'reissue'; onClose: () => void }) {
  const { t } = useTranslation('banks')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [bank, setBank] = useState<string | null>(account.bank)
  const banks = useEndpoint(listBanks)
  const offered = (banks.data?.data ?? []).filter((one) => one.offered)
  const number = account.number ? groupedNumber(account.number) : t('noNumber')
  const form = useForm({
    call: what === 'cancel' ? cancelVirtualAccount : reissueVirtualAccount,
    params: { id: account.id },
    body: { reason: reason.trim(), ...(what === 'reissue' && bank && { bank }) },
    done: ({ data }) =>
      t(what === 'cancel' ? 'actions.cancelled' : data.status === 'pending' ? 'pending' : 'actions.reissued'),
    onDone: ({ data }) => {
      onClose()
      if (what === 'reissue') navigate(`/transaksi-va/${data.id}`)
    },
    // The number may not be what it was.
    onRefused: () => void queries.invalidateQueries(),
  })
  return (
    <DialogForm
      form={form}
      title={t(`actions.${what}Title`)}
      submit={t(`actions.${what}`)}
      button={what === 'cancel' ? { color: 'red.9' } : {}}
      onClose={onClose}
    >
      <Text>{t(`actions.${what}Text`, { number })}</Text>
      {what === 'reissue' && !banks.data && (
        <Missing what={t('create.bank')} error={banks.error} onRetry={banks.refetch} />
      )}
      {what === 'reissue' && offered.length > 1 && (
        <Select
          label={t('create.bank')}
          data={offered.map(({ code, name }) => ({ value: code, label: name }))}
          value={bank}
          allowDeselect={false}
          onChange={setBank}
          {...form.field('bank')}
        />
      )}
      <ReasonInput
        label={t('actions.reason')}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}
