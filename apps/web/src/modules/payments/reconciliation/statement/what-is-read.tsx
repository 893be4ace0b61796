import { Alert, Stack, Text } from '@mantine/core'
import type { StatementPreview } from '#domain/payments/reconciliation/endpoints.ts'
import { longDate, rupiahOfSen, wholeNumber } from '#locales/format.ts'
import classes from '#web/modules/payments/reconciliation/reconciliation.module.css'
import { useReconciliationWords } from '#web/modules/payments/reconciliation/words.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** What the server read from the file: problems, sums, and the first and last lines. */
export function WhatIsRead({ preview }: { preview: StatementPreview }) {
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  const { problems, problemCount, count, fresh, firstDay, lastDay, lookalikes, pending } = preview
  return (
    <Stack gap="sm" role="status">
      <Text fw={600}>{t('upload.read')}</Text>
      {problemCount > 0 && (
        <Alert color="red" variant="light" title={t('upload.problems', { count: problemCount })}>
          <ul className={classes.problems}>
            {problems.map(({ line, message }, index) => (
              <li key={`${line} ${index}`}>{message}</li>
            ))}
          </ul>
          {problemCount > problems.length && (
            <Text mt="xs">{t('upload.moreProblems', { count: problemCount - problems.length })}</Text>
          )}
        </Alert>
      )}
      <Text>
        {count === 0 || !firstDay || !lastDay
          ? t('upload.foundNone')
          : t('upload.found', {
              lines: wholeNumber(count),
              from: longDate(firstDay, language),
              to: longDate(lastDay, language),
              credits: rupiahOfSen(preview.creditsSen),
              debits: rupiahOfSen(-preview.debitsSen),
            })}{' '}
        {count > 0 &&
          !preview.known &&
          problemCount === 0 &&
          (fresh === 0 ? t('upload.allKnown') : t('upload.fresh', { count: fresh }))}
      </Text>
      {pending.count > 0 && (
        <Alert color="orange" variant="light">
          {t('upload.pending', {
            count: pending.count,
            credits: rupiahOfSen(pending.creditsSen),
            debits: rupiahOfSen(-pending.debitsSen),
            lines: `${pending.firstLines.join(', ')}${pending.count > pending.firstLines.length ? ', …' : ''}`,
          })}
        </Alert>
      )}
      {preview.known && <Alert color="blue" variant="light" children={t('upload.known')} />}
      {lookalikes > 0 && !preview.known && (
        <Alert color="orange" variant="light" children={t('upload.lookalikes', { count: lookalikes })} />
      )}
      {preview.lines.length > 0 && <Lines lines={preview.lines} label={t('upload.firstLines')} />}
      {preview.lastLines.length > 0 && <Lines lines={preview.lastLines} label={t('upload.lastLines')} />}
    </Stack>
  )
}

/** Parsed lines, each above its row in the file. */
function Lines({ lines, label }: { lines: StatementPreview['lines']; label: string }) {
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  return (
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.rows}>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th>{t('upload.line')}</th>
            <th>{t('column.day')}</th>
            <th data-numeric>{t('column.amount')}</th>
            <th>{t('column.reference')}</th>
            <th>{t('column.description')}</th>
            <th data-numeric>{t('column.balance')}</th>
            <th>{t('lines.raw')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.lineNumber}>
              <th scope="row">{line.lineNumber}</th>
              <td>{longDate(line.day, language)}</td>
              <td data-numeric>{rupiahOfSen(line.amountSen)}</td>
              <td title={line.reference}>{line.reference || '—'}</td>
              <td title={line.description}>{line.description || '—'}</td>
              <td data-numeric>{line.balanceSen === null ? '—' : rupiahOfSen(line.balanceSen)}</td>
              <td data-raw>{line.raw}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
