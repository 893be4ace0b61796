import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { downloadScoreFile, readScoreImport, type ScoreImport, undoScoreImport } from '#domain/scores/endpoints.ts'
import { listScoreLines, listScoreProblems } from '#domain/scores/lists.ts'
import { mayWrite } from '#domain/scores/status.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { queryClient, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useDownload } from '#web/api/use-download.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { ProblemList } from '#web/modules/transfer/problem-list.tsx'
import { sizeOf } from '#web/modules/transfer/words.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { MappingCard } from './mapping-card.tsx'
import { PeopleCard } from './people-card.tsx'
import { scoreText, toneOf } from './words.ts'
import { WriteButton } from './write-button.tsx'

/** One score file: its columns, the planned changes, its problems, and buttons to write or undo it. */
export default function ScoreImportPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('scores')
  const { language } = useSurroundings()
  const { data: answer, error, refetch } = useEndpoint(readScoreImport, { params: { id } })
  const record = answer?.data
  if (!record) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  const isOpen = record.status === 'uploaded' || record.status === 'checked'
  return (
    <>
      <PageHeader
        title={record.fileName}
        description={t('by', {
          wave: record.wave,
          session: record.session ?? t('send.everySession'),
          size: sizeOf(record.bytes),
          name: record.accountName,
          when: dateTime(record.createdAt, language),
        })}
        actions={<StatusDot tone={toneOf[record.status]} label={t(`status.${record.status}`)} />}
      />
      <Stack>
        <Card>
          <Stack gap="lg">
            <Outcome record={record} />
            {isOpen && record.notes.map((note) => <Text key={note}>{note}</Text>)}
            <Actions key={record.version} record={record} />
          </Stack>
        </Card>
        {isOpen && record.rows.unconfirmed > 0 && <PeopleCard record={record} />}
        {isOpen && record.problems > 0 && <Problems record={record} />}
        {isOpen && record.hasFile && <MappingCard record={record} />}
        {record.status !== 'uploaded' && <Lines record={record} />}
      </Stack>
    </>
  )
}

function Outcome({ record }: { record: ScoreImport }) {
  const { t } = useTranslation('scores')
  const { language } = useSurroundings()
  const { status, scores, rows, writtenAt, undoneAt, undoneBy } = record
  if (status === 'uploaded')
    return (
      <Text fw={600} role="status">
        {t('outcome.toMap')}
      </Text>
    )
  const sentence =
    status === 'undone'
      ? t('outcome.undone', { name: undoneBy, when: undoneAt && dateTime(undoneAt, language) })
      : status === 'done'
        ? t('outcome.done', { when: writtenAt && dateTime(writtenAt, language) })
        : rows.wrong + rows.unconfirmed > 0
          ? t('outcome.wrongText')
          : t(mayWrite(record, false) ? 'outcome.ready' : 'outcome.nothing')
  const facts = [
    ['new', scores.new],
    ['changed', scores.changed],
    ['unchanged', scores.unchanged],
    ['rows', rows.total],
    ['wrong', rows.wrong],
    ['unconfirmed', rows.unconfirmed],
    ['ignored', rows.ignored],
  ] as const
  return (
    <Stack gap="sm" role="status">
      <Text fw={600}>{sentence}</Text>
      <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
        {facts.map(([key, count]) => (
          <div key={key}>
            <Text component="dt" size="sm" c="dimmed">
              {t(`outcome.${key}`)}
            </Text>
            <Text component="dd" m={0} fw={600} className="tabular">
              {wholeNumber(count)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function Actions({ record }: { record: ScoreImport }) {
  const { t } = useTranslation('scores')
  const wayBack = useWayBack()
  const { id } = record
  const undo = () =>
    sendOnce(undoScoreImport, { params: { id } })
      .then(() => notifications.show({ color: 'green', message: t('undoDone') }))
      .finally(() => queryClient.invalidateQueries())
  const original = useDownload()
  return (
    <Group gap="sm">
      {mayWrite(record, true) && <WriteButton record={record} />}
      {record.status === 'done' && (
        <ConfirmButton variant="default" danger message={t('undoText')} onConfirm={undo}>
          {t('undo')}
        </ConfirmButton>
      )}
      {record.hasFile && (
        <Button
          variant="default"
          loading={original.busy}
          onClick={() => original.start(pathOf(downloadScoreFile.path, { id }), record.fileName)}
        >
          {t('original')}
        </Button>
      )}
      <Anchor component={Link} {...wayBack('/import-nilai-cbt')} size="sm">
        {t('all')}
      </Anchor>
    </Group>
  )
}

function Problems({ record }: { record: ScoreImport }) {
  const { t } = useTranslation('scores')
  return (
    <ProblemList
      list={listScoreProblems}
      title={t('problems.title')}
      id={record.id}
      rowTitle={({ row }) => String(row)}
      startOf={({ letter, row }) => `${letter ?? ''}${row}`}
      none={t('problems.none')}
    />
  )
}

function Lines({ record }: { record: ScoreImport }) {
  const { t } = useTranslation('scores')
  return (
    <ListCard
      list={listScoreLines}
      prefix="l."
      title={t(record.status === 'checked' ? 'lines.title' : 'lines.titleDone')}
      params={{ id: record.id }}
      rowId={({ number }) => String(number)}
      rowTitle={({ name }) => name}
      href={({ registrationId }) => `/pendaftaran/${registrationId}`}
      cells={{
        score: ({ score }) => scoreText(score),
        scoreBefore: ({ scoreBefore }) => scoreText(scoreBefore),
      }}
      empty={{ title: t('lines.none') }}
    />
  )
}
