import { Anchor, Badge, Button, Group, Progress, Stack, Stepper, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import {
  cancelImport,
  checkImport,
  downloadImportFile,
  downloadProblemRows,
  type ImportRecord,
  readImport,
  runImport,
} from '#domain/transfer/endpoints.ts'
import { isWorking, mayCheckAgain, mayRun } from '#domain/transfer/import-status.ts'
import { listImportProblems } from '#domain/transfer/lists.ts'
import { importProfiles } from '#domain/transfer/profiles.ts'
import { findEntity } from '#entities/index.ts'
import { dateTime, percent, wholeNumber } from '#locales/format.ts'
import { download, pathOf } from '#web/api/client.ts'
import { keyOf, queryClient, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { ImportDialog } from './import-dialog.tsx'
import classes from './import-page.module.css'
import { ProblemList } from './problem-list.tsx'
import { sizeOf, toneOf, useTransferWords } from './words.ts'

const beat = 800

/** One import: recognised columns, problems, progress and result. */
export default function ImportPage() {
  const { id = '' } = useParams()
  const { t, language, entityName } = useTransferWords()
  const {
    data: answer,
    error,
    refetch,
  } = useEndpoint(
    readImport,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data && isWorking(state.data.data.status) ? beat : false) },
  )
  const record = answer?.data
  const status = record?.status
  // Refetches the lists with the new rows, and the problems of the last check.
  useEffect(() => {
    if (!status || isWorking(status)) return
    void queryClient.invalidateQueries({ queryKey: keyOf(listImportProblems) })
    if (status === 'done')
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => /^\/master\//.test(String(queryKey[0])) })
  }, [status])
  if (!record) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return (
    <>
      <PageHeader
        title={t('import.title', { what: entityName(record.entity).toLowerCase() })}
        description={[
          t('import.by', {
            file: record.fileName,
            size: sizeOf(record.bytes),
            name: record.accountName,
            when: dateTime(record.createdAt, language),
          }),
          record.parentTitle && t('import.below', { parent: record.parentTitle }),
        ]
          .filter(Boolean)
          .join(' · ')}
        actions={<StatusDot tone={toneOf[record.status]} label={t(`import.status.${record.status}`)} />}
      />
      <Stack>
        <Card>
          <Stack gap="lg">
            <Steps record={record} />
            {isWorking(record.status) ? <Working record={record} /> : <Outcome record={record} />}
            <Actions record={record} />
          </Stack>
        </Card>
        {record.problems + record.warnings > 0 && !isWorking(record.status) && <Problems record={record} />}
        {record.columns.found.length > 0 && <Columns record={record} />}
      </Stack>
    </>
  )
}

function Steps({ record: { status, startedAt } }: { record: ImportRecord }) {
  const { t } = useTransferWords()
  const wrote = startedAt !== null
  const active = status === 'done' ? 3 : status === 'checked' || wrote ? 2 : 1
  const stopped = status === 'failed' || status === 'cancelled'
  return (
    <Stepper active={active} size="sm" wrap={false} allowNextStepsSelect={false} className={classes.steps}>
      {(['upload', 'check', 'run'] as const).map((step, index) => (
        <Stepper.Step
          key={step}
          label={t(`import.steps.${step}`)}
          loading={index === active && isWorking(status)}
          color={stopped && index === active ? 'red.9' : undefined}
          tabIndex={-1}
        />
      ))}
    </Stepper>
  )
}

function Working({ record: { status, percent: percentDone, rows, cancelRequested } }: { record: ImportRecord }) {
  const { t } = useTransferWords()
  const numbers = { done: wholeNumber(rows.done), total: wholeNumber(rows.total ?? 0) }
  const text = cancelRequested
    ? t('import.stopping')
    : percentDone === 0 && rows.done === 0
      ? t('import.waiting')
      : t(status === 'running' ? 'import.progress.running' : 'import.progress.checking', numbers)
  return (
    <div>
      <Group justify="space-between" mb={4} gap="xs">
        <Text>{text}</Text>
        <Text className="tabular">{percent(percentDone / 100)}</Text>
      </Group>
      <Progress value={percentDone} size="lg" animated aria-label={text} />
      <Text size="sm" c="dimmed" mt={4}>
        {t('import.leave')}
      </Text>
    </div>
  )
}

function Outcome({ record }: { record: ImportRecord }) {
  const { t } = useTransferWords()
  const { status, failure, rows } = record
  const [text, details] = {
    checked: rows.wrong
      ? [t('import.wrong', { count: rows.wrong }), t('import.wrongNext')]
      : [t(mayRun(record) ? 'import.ready' : 'import.nothing'), null],
    done: [t('import.done', { new: wholeNumber(rows.new), changed: wholeNumber(rows.changed) }), null],
    cancelled: [t('import.cancelled'), null],
    failed: [failure ? t(`import.failure.${failure}`) : t('import.failed'), failure ? t('import.failed') : null],
    checking: ['', null],
    running: ['', null],
  }[status]
  const hasCounts = status === 'checked' || status === 'done' || rows.wrong > 0
  return (
    <div role="status">
      <Text fw={600}>{text}</Text>
      {details && <Text c="dimmed">{details}</Text>}
      {record.warnings > 0 && <Text>{t('import.warnings', { count: record.warnings })}</Text>}
      {hasCounts && (
        <dl className={classes.counts}>
          {(['new', 'changed', 'unchanged', 'wrong'] as const).map((key) => (
            <div key={key} data-wrong={(key === 'wrong' && rows.wrong > 0) || undefined}>
              <dt>{t(`import.count.${key}`)}</dt>
              <dd>{wholeNumber(rows[key])}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function Actions({ record }: { record: ImportRecord }) {
  const { t } = useTransferWords()
  const { user } = useSession()
  const [sending, setSending] = useState(false)
  const { id, status, rows } = record
  const params = { params: { id } }
  const isOwn = user?.id === record.accountId
  const fail = (error: Error) => notifications.show({ message: error.message, color: 'red' })
  const step = useMutation({
    mutationFn: (endpoint: typeof runImport | typeof checkImport | typeof cancelImport) => sendOnce(endpoint, params),
    onSuccess: (answer) => queryClient.setQueryData(keyOf(readImport, params), answer),
    onError: (error) => {
      fail(error)
      void queryClient.invalidateQueries({ queryKey: keyOf(readImport) })
    },
  })
  const fetching = useMutation({
    mutationFn: ({ path, name }: { path: string; name: string }) => download(pathOf(path, { id }), name),
    onError: fail,
  })
  const stem = record.fileName.replace(/\.[^.]*$/, '')
  const numbers = { new: wholeNumber(rows.new), changed: wholeNumber(rows.changed) }
  const list = findEntity(record.entity)
  return (
    <Group gap="sm">
      {isOwn && mayRun(record) && (
        <ConfirmButton message={t('import.runConfirm', numbers)} onConfirm={() => step.mutateAsync(runImport)}>
          {t('import.run', { count: rows.new + rows.changed, formatted: wholeNumber(rows.new + rows.changed) })}
        </ConfirmButton>
      )}
      {record.problems > 0 && !isWorking(status) && (
        <Button
          variant={rows.wrong > 0 ? 'filled' : 'default'}
          leftSection={<IconDownload size={18} aria-hidden="true" />}
          onClick={() => fetching.mutate({ path: downloadProblemRows.path, name: `${stem}-problems.csv` })}
        >
          {t('import.problemRows')}
        </Button>
      )}
      {isOwn && list && rows.wrong > 0 && !isWorking(status) && (
        <Button variant="default" onClick={() => setSending(true)} aria-haspopup="dialog">
          {t('import.sendAgain')}
        </Button>
      )}
      {sending && (
        <ImportDialog entity={list} parentId={record.parentId ?? undefined} opened onClose={() => setSending(false)} />
      )}
      {isOwn && mayCheckAgain(record) && (
        <Button variant="default" loading={step.isPending} onClick={() => step.mutate(checkImport)}>
          {t('import.checkAgain')}
        </Button>
      )}
      {record.hasFile && (
        <Button
          variant="default"
          onClick={() => fetching.mutate({ path: downloadImportFile.path, name: record.fileName })}
        >
          {t('import.original')}
        </Button>
      )}
      {status === 'done' && list && !list.parent && (
        <Button variant="default" component={Link} to={`/master/${record.entity}`}>
          {t('import.openList')}
        </Button>
      )}
      {isOwn && (isWorking(status) || status === 'checked') && (
        <Button
          variant="default"
          disabled={record.cancelRequested}
          loading={step.isPending}
          onClick={() => step.mutate(cancelImport)}
        >
          {t(isWorking(status) ? 'import.cancel' : 'import.discard')}
        </Button>
      )}
    </Group>
  )
}

function Problems({ record }: { record: ImportRecord }) {
  const { t, columnName } = useTransferWords()
  return (
    <ProblemList
      list={listImportProblems}
      title={t('import.problems')}
      id={record.id}
      rowTitle={({ row }) => `${t('import.problem.row')} ${row}`}
      controls={{
        field: {
          kind: 'choice',
          choices: [...new Set(record.columns.found.map(({ key }) => key.split('.')[0]!))].map((key) => ({
            value: key,
            label: columnName(record.entity, key),
          })),
        },
      }}
      cells={{
        row: ({ row }) => (
          <>
            <span className={classes.rowWord}>{t('import.problem.row')} </span>
            {wholeNumber(row)}
          </>
        ),
        column: ({ header, field }) => header ?? (field ? columnName(record.entity, field) : '—'),
      }}
      startOf={({ level }) => t(`import.problemLevel.${level}`)}
      none={t('import.noProblems')}
    />
  )
}

function Columns({ record: { entity, columns, profile } }: { record: ImportRecord }) {
  const wayBack = useWayBack()
  const { t, say, columnName } = useTransferWords()
  const knownProfile = importProfiles.find(({ key }) => key === profile)
  return (
    <Card title={t('import.columns')}>
      <Stack gap="sm">
        {knownProfile && <Text>{t('import.profile', { name: say(knownProfile.label) })}</Text>}
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {t('import.understood')}
          </Text>
          <Group gap="xs">
            {columns.found.map(({ header, key }) => {
              const name = columnName(entity, key)
              return (
                <Badge key={key} variant="default" tt="none" fw={500} size="lg" maw="100%">
                  {header.toLowerCase() === name.toLowerCase() ? header : `${header} → ${name}`}
                </Badge>
              )
            })}
          </Group>
        </div>
        {columns.unknown.length > 0 && (
          <Text size="sm">
            {t('import.unknown')}: {columns.unknown.join(', ')}
          </Text>
        )}
        {columns.missing.length > 0 && (
          <Text size="sm">
            {t('import.missing')}: {columns.missing.map((key) => columnName(entity, key)).join(', ')}
          </Text>
        )}
        <Anchor component={Link} {...wayBack('/settings/imports')} size="sm">
          {t('import.all')}
        </Anchor>
      </Stack>
    </Card>
  )
}
