import { Alert, Anchor, Group, Select, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import { deleteScoreRun, readScoreRun } from '#domain/scores/endpoints.ts'
import { listFinalScores, listScoreRuns } from '#domain/scores/lists.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { keyOf, queryClient, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { scoreText } from './words.ts'

type Run = Answer<typeof readScoreRun>['data']

/** One score run: the spread of its scores by test, a comparison with another run of the wave, and the final scores. */
export default function ScoreRunPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('scores')
  const { language } = useSurroundings()
  const [search, setSearch] = useSearchParams()
  const comparedWith = search.get('with') ?? undefined
  const query = comparedWith ? { comparedWith } : {}
  const { data: answer, error, refetch } = useEndpoint(readScoreRun, { params: { id }, query })
  const run = answer?.data
  usePageTitle(run?.name)
  const others = useEndpoint(
    listScoreRuns,
    { query: { per_page: 100, ...(run && { waveId: run.waveId }) } },
    { enabled: run !== undefined },
  )
  if (!run) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  const compare = (other: string | null) =>
    setSearch(
      (before) => {
        if (other) before.set('with', other)
        else before.delete('with')
        return before
      },
      { replace: true },
    )
  return (
    <>
      <PageHeader
        title={run.name}
        description={t('run.by', {
          wave: run.wave,
          track: run.track ?? t('runs.everyTrack'),
          when: dateTime(run.createdAt, language),
        })}
      />
      <Stack>
        {run.pinnedAt && (
          <Alert color="blue" variant="light">
            {t('run.pinned', { when: dateTime(run.pinnedAt, language) })}
          </Alert>
        )}
        <Card>
          <Stack>
            <Select
              label={t('run.compare')}
              value={comparedWith ?? ''}
              onChange={compare}
              data={[
                { value: '', label: t('run.compareNone') },
                ...(others.data?.data ?? [])
                  .filter((other) => other.id !== id)
                  .map((other) => ({
                    value: other.id,
                    label: `${other.name} · ${dateTime(other.createdAt, language)}`,
                  })),
              ]}
              allowDeselect={false}
              maw={480}
            />
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {t('run.hash', { hash: run.inputHash })}
            </Text>
            <Actions run={run} />
          </Stack>
        </Card>
        <Card title={t('run.byTest')} flush>
          <TestTable run={run} compared={comparedWith !== undefined} />
        </Card>
        <ListCard
          list={listFinalScores}
          prefix="f."
          title={t('finals.title')}
          params={{ id }}
          query={query}
          rowTitle={({ name }) => name}
          href={({ registrationId }) => `/pendaftaran/${registrationId}`}
          controls={{ comparedWith: { kind: 'fixed' } }}
          cells={{
            raw: ({ raw }) => scoreText(raw),
            score: ({ score }) => scoreText(score),
            compared: ({ compared }) => scoreText(compared),
            difference: ({ difference }) => scoreText(difference),
          }}
          empty={{ title: t('finals.none') }}
        />
      </Stack>
    </>
  )
}

function TestTable({ run, compared }: { run: Run; compared: boolean }) {
  const { t } = useTranslation('scores')
  const heads = [
    ...(['scores', 'mean', 'deviation', 'range'] as const),
    ...(compared ? (['changed', 'largest', 'onlyHere', 'onlyThere'] as const) : []),
  ]
  return (
    <ScrollBox style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={t('run.byTest')}>
      <Table horizontalSpacing="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('run.test')}</Table.Th>
            <Table.Th scope="col">{t('run.method')}</Table.Th>
            {heads.map((head) => (
              <Table.Th key={head} scope="col" ta="right">
                {t(`run.${head}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {run.tests.map((test) => {
            const cells: Record<(typeof heads)[number], string> = {
              scores: wholeNumber(test.scores),
              mean: scoreText(test.mean),
              deviation: scoreText(test.deviation),
              range: test.lowest === null ? '' : `${scoreText(test.lowest)} – ${scoreText(test.highest)}`,
              changed: wholeNumber(test.compared?.changed ?? 0),
              largest: scoreText(test.compared?.largest ?? null),
              onlyHere: wholeNumber(test.compared?.only ?? 0),
              onlyThere: wholeNumber(test.compared?.missing ?? 0),
            }
            return (
              <Table.Tr key={test.testId}>
                <Table.Th scope="row" fw={400}>
                  {test.test}
                </Table.Th>
                <Table.Td>{t(`method.${test.method.kind}`)}</Table.Td>
                {heads.map((head) => (
                  <Table.Td key={head} ta="right" className="tabular">
                    {cells[head]}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  )
}

function Actions({ run }: { run: Run }) {
  const { t } = useTranslation('scores')
  const navigate = useNavigate()
  const wayBack = useWayBack()
  const remove = async () => {
    await sendOnce(deleteScoreRun, { params: { id: run.id } })
    notifications.show({ color: 'green', message: t('run.deleted') })
    void queryClient.invalidateQueries({ queryKey: keyOf(listScoreRuns) })
    navigate('/import-nilai-cbt/runs')
  }
  return (
    <Group>
      {run.canDelete && (
        <ConfirmButton variant="default" danger message={t('run.deleteText')} onConfirm={remove}>
          {t('run.delete')}
        </ConfirmButton>
      )}
      <Anchor component={Link} {...wayBack('/import-nilai-cbt/runs')} size="sm">
        {t('run.all')}
      </Anchor>
    </Group>
  )
}
