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
import { sendOnce } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { useNumberAction } from './use-number-action.ts'

type Props = { account: VirtualAccountDetail }

/** Actions on a number; a disabled action shows its reason. */
export function NumberActions({ account }: Props) {
  const { t } = useTranslation('banks')
  const { may } = useSession()
  const { act, running } = useNumberAction(account.id)
  const [openDialog, setOpenDialog] = useState<'cancel' | 'reissue' | null>(null)
  if (!may('transaksi-va-update')) return null
  const ask = () =>
    act(
      'ask',
      () => sendOnce(askVirtualAccount, { params: { id: account.id } }),
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
        onClick={() => setOpenDialog('reissue')}
      >
        {t('actions.reissue')}
      </DisabledReason>
      <DisabledReason
        variant="outline"
        color="red.9"
        reason={isOpen(account.status) ? null : t('actions.notOpen')}
        onClick={() => setOpenDialog('cancel')}
      >
        {t('actions.cancel')}
      </DisabledReason>
      {openDialog && <ReasonDialog account={account} action={openDialog} onClose={() => setOpenDialog(null)} />}
    </Group>
  )
}

/** Explains an action's consequences and asks for a reason. */
function ReasonDialog({ account, action, onClose }: Props & { action: 'cancel' | 'reissue'; onClose: () => void }) {
  const { t } = useTranslation('banks')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const banks = useEndpoint(listBanks)
  const offeredBanks = (banks.data?.data ?? []).filter((candidate) => candidate.offered)
  const number = account.number ? groupedNumber(account.number) : t('noNumber')
  const form = useForm({
    call: action === 'cancel' ? cancelVirtualAccount : reissueVirtualAccount,
    params: { id: account.id },
    start: { reason: '', bank: account.bank },
    body: ({ reason, bank }) => ({ reason: reason.trim(), ...(action === 'reissue' && bank && { bank }) }),
    done: ({ data }) =>
      t(action === 'cancel' ? 'actions.cancelled' : data.status === 'pending' ? 'pending' : 'actions.reissued'),
    onDone: ({ data }) => {
      onClose()
      if (action === 'reissue') navigate(`/transaksi-va/${data.id}`)
    },
    // Reloads, because the number has changed meanwhile.
    onRefused: () => void queries.invalidateQueries(),
  })
  return (
    <DialogForm
      form={form}
      title={t(`actions.${action}Title`)}
      submit={t(`actions.${action}`)}
      button={action === 'cancel' ? { color: 'red.9' } : {}}
      onClose={onClose}
    >
      <Text>{t(`actions.${action}Text`, { number })}</Text>
      {action === 'reissue' && !banks.data && (
        <Missing what={t('create.bank')} error={banks.error} onRetry={banks.refetch} />
      )}
      {action === 'reissue' && offeredBanks.length > 1 && (
        <Select
          label={t('create.bank')}
          data={offeredBanks.map(({ code, name }) => ({ value: code, label: name }))}
          allowDeselect={false}
          {...form.choice('bank')}
        />
      )}
      <ReasonInput label={t('actions.reason')} data-autofocus {...form.text('reason')} />
    </DialogForm>
  )
}
