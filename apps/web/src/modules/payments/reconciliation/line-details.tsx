import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { StatementLineRow } from '#domain/payments/reconciliation/endpoints.ts'
import { dateTime, longDate, rupiah, rupiahOfSen } from '#locales/format.ts'
import { Facts } from '#web/ui/facts.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { LineActions } from './line-actions.tsx'
import classes from './reconciliation.module.css'
import { lineTone, useReconciliationWords } from './words.ts'

/** A statement line: outcome, the bank's own text, and actions. */
export function LineDetails({ line }: { line: StatementLineRow }) {
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [
            t('column.state'),
            <StatusDot
              key="s"
              tone={lineTone(line.state)}
              label={
                line.matchedBy
                  ? `${t('lineState.matched')}, ${t(`matchedBy.${line.matchedBy}`)}`
                  : line.explanation
                    ? t(`explanation.${line.explanation}`)
                    : line.pending
                      ? t('record.waits')
                      : t(`lineState.${line.state}`)
              }
            />,
          ],
          [t('column.accountName'), line.accountName],
          [t('column.day'), longDate(line.day, language)],
          [t('column.amount'), `${rupiahOfSen(line.amountSen)}${line.reversal ? ` (${t('lines.reversal')})` : ''}`],
          [t('column.reference'), line.reference],
          [t('column.description'), line.description],
          ...(line.balanceSen === null ? [] : [[t('lines.balance'), rupiahOfSen(line.balanceSen)] as const]),
          ...(line.similar ? [[t('lines.similar'), line.similar.words || line.similar.raw] as const] : []),
          ...(line.releaseReason ? [[t('lines.releaseReason'), line.releaseReason] as const] : []),
          ...(line.payment
            ? [
                [
                  t('lines.payment'),
                  <Anchor key="p" component={Link} to={`/pembayaran-mahasiswa/${line.payment.id}`}>
                    {[line.payment.applicantName, line.payment.label, rupiah(line.payment.amount)]
                      .filter(Boolean)
                      .join(' · ')}
                  </Anchor>,
                ] as const,
              ]
            : []),
          ...(line.reason ? [[t('column.reason'), line.reason] as const] : []),
          ...(line.settledBy && line.settledAt
            ? [[t('column.settledBy'), `${line.settledBy}, ${dateTime(line.settledAt, language)}`] as const]
            : []),
        ]}
      />
      <LineActions line={line} />
      <div>
        <Text size="sm" c="dimmed">
          {t('lines.raw')}
        </Text>
        <pre className={classes.raw}>{line.raw}</pre>
      </div>
    </Stack>
  )
}
