import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { WaitingRow } from '#domain/payments/money/endpoints.ts'
import { listWaiting } from '#domain/payments/money/lists.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime, rupiah, wholeNumber } from '#locales/format.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { AllocateDialog } from './allocate-dialog.tsx'
import { HeldAmounts } from './held-amount.tsx'
import { TakeDialog } from './take-dialog.tsx'

const dayMs = 86_400_000
/** Age in days at which waiting money is overdue. */
const lateAfterDays = 3

/** Received money without a bill: presumed owner, assigned staff member and age. */
export default function WaitingPage() {
  const { t } = useMoneyWords()
  const permission = 'pembayaran-mahasiswa-update'
  const rowActions: RowAction<WaitingRow>[] = [
    {
      key: 'give',
      label: t('waiting.give'),
      right: permission,
      main: true,
      refusal: (row) => (row.asked ? t('waiting.asked') : null),
      dialog: ([payment], { onClose }) => payment && <AllocateDialog payment={payment} onClose={onClose} />,
    },
    {
      key: 'take',
      label: t('waiting.take'),
      right: permission,
      dialog: ([row], { onClose }) => row && <TakeDialog row={row} onClose={onClose} />,
    },
    { key: 'refund', label: t('refund.ask'), right: permission, href: ({ id }) => `/pembayaran-mahasiswa/${id}` },
  ]
  return (
    <>
      <HeldAmounts />
      <DataList
        list={listWaiting}
        title={useScreenTitle()}
        searchLabel={t('waiting.search')}
        summary={({ total, sums }) => (
          <Text span size="sm" c="dimmed" role="status">
            {t('waiting.totals', { count: wholeNumber(total), amount: rupiah(sums.waitingAmount) })}
          </Text>
        )}
        cells={{
          whose: ({ whose }) => whose ?? t('waiting.unknown'),
          waitingSince: (row) => <Clock since={row.waitingSince} />,
          virtualAccountNumber: (row) => (row.virtualAccountNumber ? groupedNumber(row.virtualAccountNumber) : '—'),
        }}
        rowTitle={(row) => `${rupiah(row.waitingAmount)} · ${row.applicantName ?? t('waiting.unknown')}`}
        href={({ id }) => `/pembayaran-mahasiswa/${id}`}
        rowActions={rowActions}
        preview={(row) => <Details row={row} />}
        empty={{ title: t('waiting.empty'), text: t('waiting.emptyText') }}
      />
    </>
  )
}

function Clock({ since }: { since: string }) {
  const { t } = useMoneyWords()
  const days = Math.floor((Date.now() - new Date(since).getTime()) / dayMs)
  return (
    <StatusDot
      tone={days >= lateAfterDays ? 'attention' : 'waiting'}
      label={days < 1 ? t('waiting.today') : t('waiting.days', { count: days })}
    />
  )
}

function Details({ row }: { row: WaitingRow }) {
  const { t } = useMoneyWords()
  const { language } = useSurroundings()
  const { may } = useSession()
  return (
    <Stack gap="md">
      {row.waitingReason && <Alert color="orange" variant="light" children={t(`waiting.help.${row.waitingReason}`)} />}
      <Facts
        facts={[
          [t('waiting.amount'), rupiah(row.waitingAmount)],
          [t('enter.amount'), rupiah(row.amount)],
          [
            t('approvals:approval.applicant'),
            row.registrationId && (
              <Anchor key="r" component={Link} to={`/pendaftaran/${row.registrationId}`}>
                {row.applicantName} · {row.registrationCode}
              </Anchor>
            ),
          ],
          [t('approvals:approval.bill'), row.billNumber],
          [t('money:staff.bank'), row.bankName],
          [t('money:staff.number'), row.virtualAccountNumber && groupedNumber(row.virtualAccountNumber)],
          [t('enter.payer'), row.payerName],
          [t('enter.reference'), row.reference],
          [t('enter.paidAt'), dateTime(row.paidAt, language)],
          [t('waiting.since'), dateTime(row.waitingSince, language)],
          [t('waiting.owner'), row.owner?.name],
          [t('waiting.note'), row.note],
        ]}
      />
      {row.asked && (
        <Text size="sm">
          {t('waiting.asked')}{' '}
          {may('persetujuan-view') && (
            <Anchor
              component={Link}
              to="/persetujuan?status=pending&kind=allocation"
              inherit
              underline="always"
              children={t('approvals:pending.open')}
            />
          )}
        </Text>
      )}
    </Stack>
  )
}
