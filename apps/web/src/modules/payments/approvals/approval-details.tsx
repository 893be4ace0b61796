import { Anchor, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type ApprovalRow, readApprovalState } from '#domain/payments/approvals/endpoints.ts'
import { dateTime, longDate, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ApprovalEffect } from './approval-effect.tsx'
import { Decision } from './decision.tsx'
import { LookAlikes } from './look-alikes.tsx'
import { approvalTone, useApprovalWords } from './words.ts'

type Props = { row: ApprovalRow; onDone?: () => void }

/** A request in full, with the reader's actions or the reason why none is possible. */
export function ApprovalDetails({ row, onDone }: Props) {
  const { t } = useApprovalWords()
  const { language } = useSurroundings()
  const { details } = row
  const { data, error, refetch } = useEndpoint(readApprovalState, { params: { id: row.id } })
  const state = data?.data
  const repetitionReason = (details.another as { reason: string } | undefined)?.reason
  const detailOf = (key: string) => (typeof details[key] === 'string' ? (details[key] as string) : null)
  const facts: [string, ReactNode][] = [
    [t('approval.kind'), t(`kind.${row.kind}`)],
    [t('approval.status'), <StatusDot key="s" tone={approvalTone(row.status)} label={t(`status.${row.status}`)} />],
    [
      t('approval.applicant'),
      row.registrationId && (
        <Anchor component={Link} to={`/pendaftaran/${row.registrationId}`}>
          {row.applicantName} · {row.registrationCode}
        </Anchor>
      ),
    ],
    [t('approval.amount'), row.amount === null ? null : rupiah(row.amount)],
  ]
  if (row.amount !== null && row.approvedBefore > 0)
    facts.push([
      t('approval.withBefore'),
      t('approval.before', { sum: rupiah(row.amount + row.approvedBefore), before: rupiah(row.approvedBefore) }),
    ])
  if (row.billNumber) facts.push([t('approval.bill'), row.billNumber])
  if (detailOf('method'))
    facts.push([t('money:enter.method'), t(`money:enter.methods.${detailOf('method') as 'cash'}`)])
  if (detailOf('payerName')) facts.push([t('money:enter.payer'), detailOf('payerName')])
  if (detailOf('reference')) facts.push([t('money:enter.reference'), detailOf('reference')])
  const paidAt = detailOf('paidAt')
  if (paidAt) facts.push([t('money:enter.paidAt'), dateTime(paidAt, language)])
  if (detailOf('sponsor')) facts.push([t('money:exception.sponsor'), detailOf('sponsor')])
  if (detailOf('letter')) facts.push([t('money:exception.letter'), detailOf('letter')])
  for (const key of ['dueOn', 'payBy'] as const) {
    const day = detailOf(key)
    if (day) facts.push([t(`money:exception.${key}`), longDate(day, language)])
  }
  if (detailOf('accountNumber'))
    facts.push([
      t('money:refund.to'),
      `${detailOf('bank')}, ${detailOf('accountNumber')}, ${detailOf('accountHolder')}`,
    ])
  if (row.proof)
    facts.push([
      t('money:enter.proof'),
      <Anchor key="p" href={row.proof.url}>
        {row.proof.name}
      </Anchor>,
    ])
  if (repetitionReason) facts.push([t('look.another'), repetitionReason])
  facts.push([t('approval.reason'), row.reason])
  facts.push([t('approval.askedBy'), `${row.requestedBy.name}, ${dateTime(row.requestedAt, language)}`])
  if (row.decidedBy && row.decidedAt)
    facts.push([t('approval.decidedBy'), `${row.decidedBy.name}, ${dateTime(row.decidedAt, language)}`])
  if (row.decisionReason) facts.push([t('approval.decisionReason'), row.decisionReason])
  return (
    <Stack gap="md">
      <Facts facts={facts} />
      {!state && <Missing what={t('approval.state')} error={error} onRetry={refetch} />}
      {state && <ApprovalEffect kind={row.kind} {...state} />}
      {state && state.lookAlikes.length > 0 && (
        <Stack gap="xs">
          <Text fw={600} size="sm">
            {t('look.title')}
          </Text>
          <LookAlikes lookAlikes={state.lookAlikes} />
        </Stack>
      )}
      {row.paymentId && (
        <Anchor component={Link} to={`/pembayaran-mahasiswa/${row.paymentId}`} size="sm">
          {t('approval.openPayment')}
        </Anchor>
      )}
      {row.status === 'pending' && <Decision row={row} state={state} onDone={onDone} />}
    </Stack>
  )
}
