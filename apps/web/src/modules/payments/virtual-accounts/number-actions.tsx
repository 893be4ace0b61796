import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { isOwed } from '#domain/payments/bill-status.ts'
import {
  askVirtualAccount,
  cancelVirtualAccount,
  listBanks,
  listVirtualAccounts,
  readVirtualAccount,
  reissueVirtualAccount,
  type VirtualAccountDetail,
} from '#domain/payments/virtual-account-endpoints.ts'
import { groupedNumber } from '#domain/payments/virtual-account-number.ts'
import { isOpen } from '#domain/payments/virtual-account-status.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useSession } from '#web/app/session.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { useNumberAction } from './use-number-action.ts'

type Props = { account: VirtualAccountDetail }

/** Everything that may be done with a number; what may not says why. */
export function NumberActions({ account }: Props) {
  const send = useSend(askVirtualAccount)
  const { t } = useTranslation('virtual-accounts')
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
  const sendCancelVirtualAccount = useSend(cancelVirtualAccount)
  const sendReissueVirtualAccount = useSend(reissueVirtualAccount)
  const { t } = useTranslation('virtual-accounts')
  const { say } = useSurroundings()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [bank, setBank] = useState<string | null>(account.bank)
  const banks = useEndpoint(listBanks)
  const offered = (banks.data?.data ?? []).filter((one) => one.offered)
  const params = { id: account.id }
  const number = account.number ? groupedNumber(account.number) : t('noNumber')
  const body = { reason: reason.trim(), ...(what === 'reissue' && bank && { bank }) }
  const acting = useMutation<{ data: VirtualAccountDetail }, ApiError>({
    mutationFn: () =>
      what === 'cancel' ? sendCancelVirtualAccount({ params, body }) : sendReissueVirtualAccount({ params, body }),
    onSuccess: ({ data }) => {
      const done = what === 'cancel' ? 'actions.cancelled' : data.status === 'pending' ? 'pending' : 'actions.reissued'
      notifications.show({ color: 'green', message: t(done) })
      onClose()
      if (what === 'reissue') navigate(`/transaksi-va/${data.id}`)
    },
    onSettled: () => {
      for (const queryKey of [keyOf(readVirtualAccount, { params }), keyOf(listVirtualAccounts)])
        void queries.invalidateQueries({ queryKey })
    },
  })
  const running = acting.isPending
  const checks = useChecks(what === 'cancel' ? cancelVirtualAccount : reissueVirtualAccount, body, {
    refusal: acting.error,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!running && checks.isReady()) acting.mutate()
  }
  return (
    <Modal
      opened
      onClose={() => !running && onClose()}
      title={t(`actions.${what}Title`)}
      centered
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <form {...checks.form} onSubmit={submit} noValidate>
        <Stack>
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
              {...checks.field('bank')}
            />
          )}
          <Textarea
            label={t('actions.reason')}
            withAsterisk
            autosize
            minRows={2}
            maxLength={300}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
            {...checks.field('reason')}
          />
          <Failure>{checks.unsaid}</Failure>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={running} children={say('actions.cancel')} />
            <Button
              type="submit"
              color={what === 'cancel' ? 'red.9' : undefined}
              loading={running}
              children={t(`actions.${what}`)}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
