import { Alert, Anchor, Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readFeeRule } from '#domain/fees/endpoints.ts'
import { rankFees, whyItWins } from '#domain/fees/registration-fee-rule.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import classes from './tuition.module.css'
import { activeRows, type FeeRule, useFeeWords } from './use-fee-words.ts'

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

type FeeRow = ReturnType<typeof activeRows>[number]

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
  const choices = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }))
  const [winner, ...losers] = rankFees(activeRows(rule), {
    trackId: track.id,
    entryLevelId: level.id,
    classProgrammeId: programme.id,
  })
  return (
    <Stack>
      <Group align="flex-end">
        <Select
          size="sm"
          label={t('wave')}
          value={rule.waveId}
          onChange={onWave}
          data={rule.waves.map(({ id, title, rows }) => ({ value: id, label: `${title} (${rows})` }))}
          allowDeselect={false}
          searchable
        />
        <Select
          size="sm"
          label={t('track')}
          value={track.id}
          onChange={(value) => setChosen({ ...chosen, track: value })}
          data={choices(rule.tracks)}
          allowDeselect={false}
        />
        <Select
          size="sm"
          label={t('entryLevel')}
          value={level.id}
          onChange={(value) => setChosen({ ...chosen, level: value })}
          data={choices(rule.entryLevels)}
          allowDeselect={false}
        />
        <Select
          size="sm"
          label={t('classProgramme')}
          value={programme.id}
          onChange={(value) => setChosen({ ...chosen, programme: value })}
          data={choices(rule.classProgrammes)}
          allowDeselect={false}
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
  const { t, scopeText, reasonText } = useFeeWords(rule)
  return (
    <div className={classes.scroll}>
      <Table className={classes.amounts}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('rule.row')}</Table.Th>
            <Table.Th className={classes.right}>{t('rule.amount')}</Table.Th>
            <Table.Th>{t('rule.why')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Td>
              <Anchor component={Link} to={`/master/biaya-pendaftaran/${winner.id}`} size="sm">
                {scopeText(winner)}
              </Anchor>
            </Table.Td>
            <Table.Td className={classes.right}>{rupiah(winner.amount)}</Table.Td>
            <Table.Td>{isFree ? t('rule.wouldWin') : t('rule.winner')}</Table.Td>
          </Table.Tr>
          {losers.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>
                <Anchor component={Link} to={`/master/biaya-pendaftaran/${row.id}`} size="sm">
                  {scopeText(row)}
                </Anchor>
              </Table.Td>
              <Table.Td className={classes.right}>{rupiah(row.amount)}</Table.Td>
              <Table.Td>{t('rule.beaten', { reason: reasonText(whyItWins(winner, row)) })}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
