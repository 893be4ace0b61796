import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { isOwed } from '#domain/payments/bill-status.ts'
import {
  askVirtualAccount,
  cancelVirtualAccount,
  listBanks,
  reissueVirtualAccount,
  type VirtualAccountDetail,
} from '#domain/payments/virtual-account-endpoints.ts'
import { groupedNumber } from '#domain/payments/virtual-account-number.ts'
import { isOpen } from '#domain/payments/virtual-account-status.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useSession } from '#web/app/session.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
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
  const { act, running } = useNumberAction(account.id)
  const [reason, setReason] = useState('')
  const [bank, setBank] = useState<string | null>(account.bank)
  const banks = useEndpoint(listBanks)
  const offered = (banks.data?.data ?? []).filter((one) => one.offered)
  const params = { id: account.id }
  const number = account.number ? groupedNumber(account.number) : t('noNumber')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = { reason: reason.trim() }
    if (body.reason.length < 3) return
    if (what === 'cancel') {
      if (
        await act(
          'cancel',
          () => sendCancelVirtualAccount({ params, body }),
          () => t('actions.cancelled'),
        )
      )
        onClose()
      return
    }
    const answer = await act(
      'reissue',
      () => sendReissueVirtualAccount({ params, body: { ...body, ...(bank && { bank }) } }),
      ({ data }) => t(data.status === 'pending' ? 'pending' : 'actions.reissued'),
    )
    if (!answer) return
    onClose()
    navigate(`/transaksi-va/${answer.data.id}`)
  }
  return (
    <Modal
      opened
      onClose={() => !running && onClose()}
      title={t(`actions.${what}Title`)}
      centered
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <form onSubmit={submit}>
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
          />
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={onClose}
              disabled={running !== undefined}
              children={say('actions.cancel')}
            />
            <Button
              type="submit"
              color={what === 'cancel' ? 'red.9' : undefined}
              loading={running === what}
              disabled={reason.trim().length < 3}
              children={t(`actions.${what}`)}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
