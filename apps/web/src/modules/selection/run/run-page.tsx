import { Alert, Anchor, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import {
  computeSelectionRun,
  readSelectionRun,
  removeSelectionRun,
  type SelectionRun,
} from '#domain/selection/endpoints.ts'
import { listSelectionEntries } from '#domain/selection/lists.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { keyOf, queryClient, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { isBusy, statusTones } from '#web/modules/selection/tones.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useGoBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { AdoptedText } from './adopted-text.tsx'
import { CompareRuns } from './compare-runs.tsx'
import { CopyRun } from './copy-run.tsx'
import { Entries } from './entries.tsx'
import { NewerScores } from './newer-scores.tsx'
import { RulesOfRun } from './rules-of-run.tsx'
import { WhatIf } from './what-if.tsx'

const parts = ['results', 'places', 'rules', 'compare'] as const
type Part = (typeof parts)[number]
const pollMs = 1_000

/** One selection: results with reasons, places with what-if, rules, and the comparison with another selection. */
export default function RunPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('selection')
  const { language } = useSurroundings()
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useEndpoint(
    readSelectionRun,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data && isBusy(state.data.data.status) ? pollMs : false) },
  )
  const run = data?.data
  const outputHash = run?.outputHash
  // The rows follow the run: a new output replaces those on screen.
  useEffect(() => {
    if (outputHash) void queryClient.invalidateQueries({ queryKey: keyOf(listSelectionEntries) })
  }, [outputHash])
  if (!run) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  const part = parts.find((one) => one === search.get('part')) ?? 'results'
  const isHidden = !run.outcomeIsVisible && (part === 'results' || part === 'compare')
  return (
    <>
      <PageHeader
        title={run.name}
        description={[
          t('page.made', { wave: run.wave.name, time: dateTime(run.createdAt, language) }),
          run.basedOn && t('page.basedOn', { name: run.basedOn.name }),
        ]
          .filter(Boolean)
          .join(' · ')}
        actions={<StatusDot tone={statusTones[run.status]} label={t(`status.${run.status}`)} />}
      />
      <Stack>
        <Summary run={run} />
        <Tabs value={part} onChange={(next) => setSearch({ part: next as Part }, { replace: true })}>
          <Tabs.List>
            {parts.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`page.${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        {isHidden && (
          <Card>
            <Text c="dimmed">{t('entries.hidden')}</Text>
          </Card>
        )}
        {part === 'results' && !isHidden && <Entries run={run} />}
        {part === 'places' && <WhatIf key={run.outputHash} run={run} />}
        {part === 'rules' && <RulesOfRun run={run} />}
        {part === 'compare' && !isHidden && <CompareRuns run={run} />}
      </Stack>
    </>
  )
}

/** Result of the run, and the actions on it. */
function Summary({ run }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const goBack = useGoBack()
  const [copying, setCopying] = useState(false)
  const { act, actOrThrow, running } = useAction(keyOf(readSelectionRun, { params: { id: run.id } }))
  const { counts, failure, refusal, version } = run
  const params = { id: run.id }
  return (
    <Card>
      <Stack gap="sm">
        {failure && (
          <Alert color="red" variant="light" role="alert">
            {failure}
          </Alert>
        )}
        <NewerScores run={run} />
        <div role="status">
          {isBusy(run.status) && <Text>{t(run.status === 'computing' ? 'page.computing' : 'page.adopting')}</Text>}
          {run.adoptedAt && <AdoptedText run={run} adoptedAt={run.adoptedAt} />}
          {counts && run.status !== 'computing' && (
            <Text>
              {t('page.counts', {
                placed: wholeNumber(counts.placed),
                applicants: wholeNumber(counts.applicants),
                reserve: wholeNumber(counts.reserve),
                ms: wholeNumber(counts.ms),
              })}{' '}
              {counts.held + counts.kept > 0 &&
                t('page.held', { held: wholeNumber(counts.held), kept: wholeNumber(counts.kept) })}
            </Text>
          )}
        </div>
        <Group gap="sm">
          <Button component={Link} to={`/seleksi/${run.id}/publish`}>
            {t('page.publish')}
          </Button>
          <DisabledReason
            variant="default"
            reason={refusal}
            loading={running === 'compute'}
            onClick={() => void act('compute', () => sendOnce(computeSelectionRun, { params, body: { version } }))}
          >
            {t('page.compute')}
          </DisabledReason>
          <Button variant="default" aria-haspopup="dialog" onClick={() => setCopying(true)}>
            {t('page.copy')}
          </Button>
          {refusal === null && (
            <ConfirmButton
              variant="outline"
              color="red.9"
              danger
              message={t('page.removeConfirm')}
              onConfirm={async () => {
                await actOrThrow(
                  'remove',
                  () => sendOnce(removeSelectionRun, { params, query: { version } }),
                  () => t('page.removed'),
                )
                goBack('/seleksi')
              }}
            >
              {t('page.remove')}
            </ConfirmButton>
          )}
          <Anchor component={Link} to="/seleksi" size="sm">
            {t('page.all')}
          </Anchor>
        </Group>
      </Stack>
      {copying && <CopyRun run={run} places={[]} onClose={() => setCopying(false)} />}
    </Card>
  )
}
