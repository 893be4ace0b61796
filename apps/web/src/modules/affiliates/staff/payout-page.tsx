import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import {
  approvePayout,
  cancelPayout,
  downloadPayout,
  markPayoutPaid,
  type Payout,
  readPayout,
  returnPayoutLine,
} from '#domain/affiliates/payout-endpoints.ts'
import { dateTime, percent, rupiah } from '#locales/format.ts'
import { download, pathOf } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import classes from '#web/modules/affiliates/affiliates.module.css'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { lineTones, payoutTones } from './tones.ts'

/** A payout: who made, approved and paid it, its transfers, and the next step. */
export default function PayoutPage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useEndpoint(readPayout, { params: { id } })
  const payout = data?.data
  usePageTitle(payout?.number)
  if (!payout) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  return (
    <>
      <PageHeader title={payout.number} actions={<Actions payout={payout} />} />
      <Stack>
        <Summary payout={payout} />
        <Lines payout={payout} />
      </Stack>
    </>
  )
}

function Summary({ payout }: { payout: Payout }) {
  const { t } = useTranslation('affiliates')
  const { language } = useSurroundings()
  const { status, taxBps, amount, tax, note, own } = payout
  const by = (time: string | null, name: string | null) =>
    time ? t('payouts.by', { time: dateTime(time, language), name }) : null
  return (
    <Card>
      <Facts
        facts={[
          [
            t('column.status'),
            <StatusDot key="status" tone={payoutTones[status]} label={t(`payoutState.${status}`)} />,
          ],
          [t('payouts.total'), rupiah(amount)],
          [t('payouts.tax', { percent: percent(taxBps / 10_000) }), rupiah(tax)],
          [t('payouts.transfer'), rupiah(amount - tax)],
          [t('payouts.made'), by(payout.createdAt, payout.createdBy)],
          [t('payouts.approvedAt'), by(payout.approvedAt, payout.approvedBy)],
          [t('payouts.paidAt'), by(payout.paidAt, payout.paidBy)],
          ...(payout.paidReference ? ([[t('payouts.reference'), payout.paidReference]] as const) : []),
          ...(payout.cancelledAt
            ? ([[t('payouts.cancelledAt'), by(payout.cancelledAt, payout.cancelledBy)]] as const)
            : []),
          ...(note ? ([[t('payouts.note'), note]] as const) : []),
        ]}
      />
      <Text size="sm" c="dimmed" mt="sm">
        {t('payouts.taxNote')}
      </Text>
      {own && status === 'frozen' && <Text mt="sm">{t('payouts.own')}</Text>}
    </Card>
  )
}

function Actions({ payout }: { payout: Payout }) {
  const { t } = useTranslation('affiliates')
  const { may } = useSession()
  const { actOrThrow } = useAction(keyOf(readPayout))
  const [isPaying, setPaying] = useState(false)
  const { id, number, status, own } = payout
  const params = { id }
  return (
    <>
      {status === 'frozen' && may(cancelPayout.access) && (
        <ConfirmButton
          variant="default"
          danger
          message={t('payouts.cancelText')}
          onConfirm={() =>
            actOrThrow(
              'cancel',
              () => sendOnce(cancelPayout, { params }),
              () => t('payouts.cancelled'),
            )
          }
        >
          {t('payouts.cancel')}
        </ConfirmButton>
      )}
      {status === 'frozen' && may(approvePayout.access) && !own && (
        <ConfirmButton
          message={t('payouts.approveText')}
          onConfirm={() =>
            actOrThrow(
              'approve',
              () => sendOnce(approvePayout, { params }),
              () => t('payouts.approved'),
            )
          }
        >
          {t('payouts.approve')}
        </ConfirmButton>
      )}
      {(status === 'approved' || status === 'paid') && may(downloadPayout.access) && (
        <Button variant="default" onClick={() => download(pathOf(downloadPayout.path, params), `${number}.csv`)}>
          {t('payouts.bankFile')}
        </Button>
      )}
      {status === 'approved' && may(markPayoutPaid.access) && (
        <Button onClick={() => setPaying(true)}>{t('payouts.paid')}</Button>
      )}
      {isPaying && <PaidDialog id={id} onClose={() => setPaying(false)} />}
    </>
  )
}

function PaidDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('affiliates')
  const form = useForm({
    call: markPayoutPaid,
    params: { id },
    start: { reference: '' },
    body: ({ reference }) => ({ reference: reference.trim() }),
    done: t('payouts.markedPaid'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('payouts.paid')} form={form} submit={t('payouts.paid')} onClose={onClose}>
      <Text>{t('payouts.paidText')}</Text>
      <TextInput label={t('payouts.reference')} data-autofocus {...form.text('reference')} />
    </DialogForm>
  )
}

type Line = Payout['lines'][number]

function Lines({ payout: { id, lines, status } }: { payout: Payout }) {
  const { t } = useTranslation('affiliates')
  const { may } = useSession()
  const [sentBack, setSentBack] = useState<Line | null>(null)
  const isApproved = status === 'approved' || status === 'paid'
  return (
    <Card title={t('payouts.lines')} count={lines.length}>
      <ul className={classes.lines}>
        {lines.map((line) => (
          <li key={line.id}>
            <span>
              <strong>{line.name}</strong> · {line.bank} {line.account} · {line.holder}
              <br />
              <StatusDot tone={lineTones[line.status]} label={t(`payoutLine.${line.status}`)} />
            </span>
            <span>
              <Money amount={line.amount - line.tax} />
              {isApproved && line.status === 'approved' && may(returnPayoutLine.access) && (
                <Button ml="sm" size="compact-sm" variant="subtle" onClick={() => setSentBack(line)}>
                  {t('payouts.sentBack')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {sentBack && (
        <ReasonDialog
          call={returnPayoutLine}
          params={{ id, lineId: sentBack.id }}
          title={t('payouts.sentBackTitle', { name: sentBack.name })}
          submit={t('payouts.sentBack')}
          label={t('payouts.sentBackReason')}
          done={t('payouts.sentBackDone')}
          onClose={() => setSentBack(null)}
        >
          <Text>{t('payouts.sentBackText')}</Text>
        </ReasonDialog>
      )}
    </Card>
  )
}
