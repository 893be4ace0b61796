import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FeeRow, readFeeRule } from '#domain/fees/endpoints.ts'
import { rankFees, whyItWins } from '#domain/fees/registration-fee-rule.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { RowSelect } from './row-select.tsx'
import classes from './tuition.module.css'
import { activeRows, type FeeRule, useFeeWords } from './use-fee-words.tsx'

/** Explains, above the list, which registration fee applies to a combination and why. */
export default function FeeRulePanel() {
  const { t } = useTranslation('fees')
  const [opened, setOpened] = useState(false)
  return (
    <Card
      className={`no-print ${classes.above}`}
      title={t('rule.title')}
      actions={
        <Button
          size="sm"
          variant="default"
          aria-expanded={opened}
          rightSection={
            opened ? <IconChevronUp size={18} aria-hidden="true" /> : <IconChevronDown size={18} aria-hidden="true" />
          }
          onClick={() => setOpened(!opened)}
        >
          {t(opened ? 'rule.hide' : 'rule.show')}
        </Button>
      }
    >
      {opened ? (
        <RuleOfWave />
      ) : (
        <Text size="sm" c="dimmed">
          {t('rule.text')}
        </Text>
      )}
    </Card>
  )
}

function RuleOfWave() {
  const [waveId, setWaveId] = useState<string | null>(null)
  const answer = useEndpoint(
    readFeeRule,
    { query: waveId ? { waveId } : {} },
    { placeholderData: (before) => before, staleTime: 0 },
  )
  const rule = answer.data?.data
  return rule ? (
    <RuleFinder rule={rule} onWave={setWaveId} />
  ) : (
    <Missing error={answer.error} onRetry={answer.refetch} />
  )
}

function RuleFinder({ rule, onWave }: { rule: FeeRule; onWave: (waveId: string | null) => void }) {
  const { t } = useFeeWords(rule)
  const [chosen, setChosen] = useState<Partial<Record<'track' | 'level' | 'programme', string | null>>>({})
  const track =
    rule.tracks.find(({ id }) => id === chosen.track) ??
    rule.tracks.find(({ freeOfFee }) => !freeOfFee) ??
    rule.tracks[0]
  const level = rule.entryLevels.find(({ id }) => id === chosen.level) ?? rule.entryLevels[0]
  const programme = rule.classProgrammes.find(({ id }) => id === chosen.programme) ?? rule.classProgrammes[0]
  if (!rule.waveId || !track || !level || !programme) return <Text>{t('rule.incomplete')}</Text>
  const choose = (part: keyof typeof chosen, id: string | null) => setChosen({ ...chosen, [part]: id })
  const [winner, ...losers] = rankFees(activeRows(rule), {
    trackId: track.id,
    entryLevelId: level.id,
    classProgrammeId: programme.id,
  })
  return (
    <Stack>
      <Group align="flex-end">
        <RowSelect
          label={t('wave')}
          rows={rule.waves.map(({ id, title, rows }) => ({ id, name: `${title} (${rows})` }))}
          value={rule.waveId}
          onChange={onWave}
          searchable
        />
        <RowSelect label={t('track')} rows={rule.tracks} value={track.id} onChange={(id) => choose('track', id)} />
        <RowSelect
          label={t('entryLevel')}
          rows={rule.entryLevels}
          value={level.id}
          onChange={(id) => choose('level', id)}
        />
        <RowSelect
          label={t('classProgramme')}
          rows={rule.classProgrammes}
          value={programme.id}
          onChange={(id) => choose('programme', id)}
        />
      </Group>
      <div role="status" aria-live="polite">
        {track.freeOfFee ? (
          <Alert variant="light">{t('rule.freeTrack', { track: track.name })}</Alert>
        ) : !winner ? (
          <Alert variant="light" color="orange">
            {t('rule.noRow')}
          </Alert>
        ) : (
          <Text size="lg" fw={650}>
            {t('rule.wins', { amount: rupiah(winner.amount) })}
          </Text>
        )}
      </div>
      {winner && <Ranking rule={rule} winner={winner} losers={losers} isFree={track.freeOfFee} />}
      <Text size="sm" c="dimmed">
        {t('rule.text')}
      </Text>
    </Stack>
  )
}

type RankingProps = { rule: FeeRule; winner: FeeRow; losers: readonly FeeRow[]; isFree: boolean }

/** The fee that applies, then the fees it outranks, with reasons. */
function Ranking({ rule, winner, losers, isFree }: RankingProps) {
  const { t, reasonText, linkTo } = useFeeWords(rule)
  return (
    <div className={classes.scroll}>
      <Table
        className={classes.amounts}
        data={{
          head: [t('rule.row'), t('rule.amount'), t('rule.why')],
          body: [winner, ...losers].map((row) => [
            linkTo(row),
            rupiah(row.amount),
            row !== winner
              ? t('rule.beaten', { reason: reasonText(whyItWins(winner, row)) })
              : t(isFree ? 'rule.wouldWin' : 'rule.winner'),
          ]),
        }}
      />
    </div>
  )
}
