import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { readOpening } from '#domain/opening/endpoints.ts'
import { isWorking } from '#domain/transfer/import-status.ts'
import {
  discardWorkbookImport,
  downloadWorkbookFile,
  readWorkbookImport,
  runWorkbookImport,
  type WorkbookRecord,
} from '#domain/workbook/endpoints.ts'
import { listWorkbookImports, listWorkbookProblems } from '#domain/workbook/lists.ts'
import { discardable, mayWrite } from '#domain/workbook/status.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { keyOf, queryClient, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useDownload } from '#web/api/use-download.ts'
import { ProblemList } from '#web/modules/transfer/problem-list.tsx'
import { sizeOf } from '#web/modules/transfer/words.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { SheetCountsCard } from './sheet-counts.tsx'
import { UndoButton } from './undo-button.tsx'
import { toneOf } from './words.ts'

const pollMs = 800

/** One uploaded workbook: effects sheet by sheet, problems, and buttons that write or undo it. */
export default function WorkbookImportPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('workbook')
  const { language } = useSurroundings()
  const {
    data: answer,
    error,
    refetch,
  } = useEndpoint(
    readWorkbookImport,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data && isWorking(state.data.data.status) ? pollMs : false) },
  )
  const record = answer?.data
  const status = record?.status
  useEffect(() => {
    if (!status || isWorking(status)) return
    void queryClient.invalidateQueries({ queryKey: keyOf(listWorkbookProblems) })
    if (status !== 'done') return
    void queryClient.invalidateQueries({ queryKey: keyOf(readOpening) })
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/master/') })
  }, [status])
  if (!record) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return (
    <>
      <PageHeader
        title={record.fileName}
        description={t('by', {
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
            <Actions record={record} />
          </Stack>
        </Card>
        {record.problems + record.warnings > 0 && !isWorking(record.status) && <Problems record={record} />}
        {record.sheets.length > 0 && <SheetCountsCard record={record} />}
      </Stack>
    </>
  )
}

function Outcome({ record }: { record: WorkbookRecord }) {
  const { t } = useTranslation(['workbook', 'transfer'])
  const { language } = useSurroundings()
  const { status, failure, problems, rows } = record
  if (status === 'checking' || status === 'running')
    return (
      <div role="status">
        <Text mb={4}>{t(`working.${status}`)}</Text>
        <Progress value={100} size="lg" animated aria-label={t(`working.${status}`)} />
        <Text size="sm" c="dimmed" mt={4}>
          {t('leave')}
        </Text>
      </div>
    )
  const numbers = { new: wholeNumber(rows.new), changed: wholeNumber(rows.changed) }
  return (
    <Stack gap="sm" role="status">
      {failure && (
        <Alert color={status === 'failed' ? 'red' : 'orange'} variant="light">
          {t(`failure.${failure}`)}
        </Alert>
      )}
      {status === 'checked' && problems > 0 && (
        <div>
          <Text fw={600}>{t('wrong', { count: problems })}</Text>
          <Text>{t('wrongNext')}</Text>
        </div>
      )}
      {status === 'checked' && problems === 0 && <Text fw={600}>{t(mayWrite(record) ? 'ready' : 'nothing')}</Text>}
      {record.warnings > 0 && <Text>{t('transfer:import.warnings', { count: record.warnings })}</Text>}
      {status === 'done' && <Text fw={600}>{t('done', numbers)}</Text>}
      {status === 'undone' && (
        <Text fw={600}>
          {t('undone', { name: record.undoneBy, when: record.undoneAt && dateTime(record.undoneAt, language) })}
        </Text>
      )}
    </Stack>
  )
}

function Actions({ record }: { record: WorkbookRecord }) {
  const { t } = useTranslation('workbook')
  const { may } = useSession()
  const wayBack = useWayBack()
  const navigate = useNavigate()
  const { id, rows } = record
  const params = { params: { id } }
  const mayChange = may('settings-opening-update')
  const fail = (error: Error) => notifications.show({ message: error.message, color: 'red' })
  const run = useMutation({
    mutationFn: () => sendOnce(runWorkbookImport, params),
    onSuccess: (answer) => queryClient.setQueryData(keyOf(readWorkbookImport, params), answer),
    onError: (error) => {
      fail(error)
      void queryClient.invalidateQueries({ queryKey: keyOf(readWorkbookImport) })
    },
  })
  const original = useDownload()
  const discard = async () => {
    await sendOnce(discardWorkbookImport, params)
    notifications.show({ message: t('discarded'), color: 'green' })
    void queryClient.invalidateQueries({ queryKey: keyOf(listWorkbookImports) })
    navigate('/settings/opening/workbook', { replace: true })
  }
  const numbers = { new: wholeNumber(rows.new), changed: wholeNumber(rows.changed) }
  return (
    <Group gap="sm">
      {mayChange && mayWrite(record) && (
        <ConfirmButton message={t('writeConfirm', numbers)} onConfirm={() => run.mutateAsync()}>
          {t('write', { count: rows.new + rows.changed, formatted: wholeNumber(rows.new + rows.changed) })}
        </ConfirmButton>
      )}
      {record.status === 'done' && (
        <Button component={Link} to="/settings/opening">
          {t('toChecklist')}
        </Button>
      )}
      {mayChange && record.status === 'done' && <UndoButton record={record} />}
      {record.hasFile && (
        <Button
          variant="default"
          loading={original.busy}
          onClick={() => original.start(pathOf(downloadWorkbookFile.path, { id }), record.fileName)}
        >
          {t('original')}
        </Button>
      )}
      {mayChange && discardable.includes(record.status) && (
        <ConfirmButton danger message={t('discardConfirm')} onConfirm={discard}>
          {t('discard')}
        </ConfirmButton>
      )}
      <Anchor component={Link} {...wayBack('/settings/opening/workbook')} size="sm">
        {t('all')}
      </Anchor>
    </Group>
  )
}

function Problems({ record }: { record: WorkbookRecord }) {
  const { t } = useTranslation('workbook')
  return (
    <ProblemList
      list={listWorkbookProblems}
      title={t('problems.title')}
      id={record.id}
      rowTitle={({ sheet }) => sheet}
      startOf={({ letter, row }) => `${letter ?? ''}${row ?? ''}`}
      none={t('problems.none')}
    />
  )
}
