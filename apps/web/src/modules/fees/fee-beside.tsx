import { Alert, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { type FeeRow, readFeeRule } from '#domain/fees/endpoints.ts'
import { compareFees, type FeeScope, feeApplies, feesTie, rankFees } from '#domain/fees/registration-fee-rule.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { activeRows, combinationsOf, type FeeRule, useFeeWords } from './use-fee-words.tsx'

const mostShown = 8

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

/** Shows which applicants a registration fee would apply to and which rows it would override, beside its form. */
export default function FeeBeside({ values }: { values: Record<string, unknown> }) {
  const { t } = useTranslation('fees')
  const waveId = textOrNull(values.waveId)
  const answer = useEndpoint(
    readFeeRule,
    { query: waveId ? { waveId } : {} },
    { enabled: waveId !== null, staleTime: 0 },
  )
  const rule = waveId ? answer.data?.data : undefined
  return (
    <Card title={t('effect.title')}>
      {rule ? (
        <Effect
          rule={rule}
          row={{
            trackId: textOrNull(values.trackId),
            entryLevelId: textOrNull(values.entryLevelId),
            classProgrammeId: textOrNull(values.classProgrammeId),
          }}
        />
      ) : waveId && answer.error ? (
        <Missing error={answer.error} onRetry={answer.refetch} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('effect.chooseWave')}
        </Text>
      )}
    </Card>
  )
}

function Effect({ rule, row }: { rule: FeeRule; row: FeeScope }) {
  const { t, scopeText, linkTo } = useFeeWords(rule)
  /** The row being edited does not compete with itself. */
  const ownId = useLocation().pathname.split('/').at(-1)
  const otherRows = activeRows(rule).filter(({ id }) => id !== ownId)
  const twin = rule.rows.find((other) => other.id !== ownId && feesTie(other, row))
  const appliesTo = combinationsOf(rule).filter((combination) => feeApplies(row, combination))
  const paying = appliesTo.filter(({ freeOfFee }) => !freeOfFee)
  const outcomes = paying.map((combination) => ({ combination, now: rankFees(otherRows, combination)[0] }))
  const wins = outcomes.filter(({ now }) => !now || compareFees(row, now) < 0)
  const beatenRows = [...new Set(wins.flatMap(({ now }) => (now ? [now] : [])))]
  const losesTo = [...new Set(outcomes.flatMap(({ now }) => (now && compareFees(row, now) > 0 ? [now] : [])))]
  if (twin)
    return (
      <Alert color="red" variant="light" title={t('effect.tie')}>
        {linkTo(twin)}: {rupiah(twin.amount)}
        {!twin.active && ` (${t('effect.inactive')})`}
      </Alert>
    )
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t('effect.applies', { count: wins.length, all: combinationsOf(rule).filter((one) => !one.freeOfFee).length })}
      </Text>
      {wins.length > 0 && (
        <List size="sm" spacing={2}>
          {wins.slice(0, mostShown).map(({ combination }) => (
            <List.Item key={Object.values(combination).join()}>{scopeText(combination)}</List.Item>
          ))}
          {wins.length > mostShown && <List.Item>{t('effect.more', { count: wins.length - mostShown })}</List.Item>}
        </List>
      )}
      <RankedRows title={t('effect.beats')} rows={beatenRows} linkTo={linkTo} />
      <RankedRows title={t('effect.losesTo')} rows={losesTo} linkTo={linkTo} />
      {appliesTo.length > paying.length && (
        <Text size="sm" c="dimmed">
          {t('effect.freeTracks')}
        </Text>
      )}
    </Stack>
  )
}

type RankedProps = { title: string; rows: readonly FeeRow[]; linkTo: (row: FeeRow) => ReactNode }

const RankedRows = ({ title, rows, linkTo }: RankedProps) =>
  rows.length > 0 && (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {rows.map((row) => (
          <List.Item key={row.id}>
            {linkTo(row)}: {rupiah(row.amount)}
          </List.Item>
        ))}
      </List>
    </div>
  )
