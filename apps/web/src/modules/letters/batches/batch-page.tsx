import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import {
  cancelLetterBatch,
  continueLetterBatch,
  downloadLetterBatch,
  type LetterBatch,
  readLetterBatch,
} from '#domain/letters/batch-endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useDownload } from '#web/api/use-download.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { batchTones } from './tones.ts'

const pollMs = 1_000

/** A batch changes while it runs and, after a cancellation, until its registered chunks are printed. */
const isBusy = ({ status, chunks }: LetterBatch) =>
  status === 'running' || chunks.some(({ registered, printed }) => registered && !printed)

/** Progress of a batch, its files to print, and the people who got no letter. */
export default function BatchPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation(['letters', 'staff'])
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(
    readLetterBatch,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data && isBusy(state.data.data) ? pollMs : false) },
  )
  const batch = data?.data
  usePageTitle(batch?.kind ?? null)
  if (!batch) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  const { kind, wave, programme, track, stage, status } = batch
  return (
    <>
      <PageHeader
        title={kind}
        description={[
          t('batch.by', { time: dateTime(batch.startedAt, language), name: batch.startedBy ?? '–' }),
          t(`batchLanguage.${batch.language}`),
          wave,
          programme,
          track,
          stage && t(`staff:status.${stage}`),
        ]
          .filter(Boolean)
          .join(' · ')}
        actions={<StatusDot tone={batchTones[status]} label={t(`batchStatus.${status}`)} />}
      />
      <Stack>
        <ProgressCard batch={batch} />
        <Card
          title={t('batch.files')}
          actions={
            <Anchor component={Link} to={`/surat/terbit?batch=${id}`}>
              {t('batch.register')}
            </Anchor>
          }
        >
          <Stack gap="sm">
            {batch.chunks.map((chunk) => (
              <ChunkLine key={chunk.number} batch={batch} chunk={chunk} />
            ))}
          </Stack>
        </Card>
        {batch.refusals.length > 0 && <Refusals batch={batch} />}
      </Stack>
    </>
  )
}

function ProgressCard({ batch }: { batch: LetterBatch }) {
  const { t } = useTranslation('letters')
  const { may } = useSession()
  const { id, status, total, finished, refused, stalled } = batch
  const { act, actOrThrow, running } = useAction(keyOf(readLetterBatch, { params: { id } }))
  const counts = t('batch.progress', { finished: wholeNumber(finished), total: wholeNumber(total) })
  return (
    <Card>
      <Stack gap="sm">
        <Stack gap={4} role="status">
          <Progress value={(finished / total) * 100} aria-label={t('batch.progressLabel')} />
          <Text size="sm">{counts}</Text>
          {refused > 0 && <Text size="sm">{t('batch.refused', { count: refused })}</Text>}
        </Stack>
        {stalled && (
          <Alert color="yellow" variant="light" role="alert">
            {t('batch.stalled')}
          </Alert>
        )}
        {status === 'running' && may(cancelLetterBatch.access) && (
          <Group>
            {stalled && (
              <Button
                loading={running === 'continue'}
                onClick={() =>
                  void act(
                    'continue',
                    () => sendOnce(continueLetterBatch, { params: { id } }),
                    () => t('batch.continued'),
                  )
                }
              >
                {t('batch.continue')}
              </Button>
            )}
            <ConfirmButton
              variant="default"
              danger
              message={t('batch.cancelText')}
              onConfirm={() =>
                actOrThrow(
                  'cancel',
                  () => sendOnce(cancelLetterBatch, { params: { id } }),
                  () => t('batch.cancelled'),
                )
              }
            >
              {t('batch.cancel')}
            </ConfirmButton>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

type Chunk = LetterBatch['chunks'][number]

const chunkState = ({ status }: LetterBatch, { printed, registered }: Chunk) => {
  if (printed) return 'noLetters'
  if (registered) return 'printing'
  return status === 'running' ? 'waiting' : 'notGiven'
}

function ChunkLine({ batch, chunk }: { batch: LetterBatch; chunk: Chunk }) {
  const { t } = useTranslation('letters')
  const file = useDownload()
  const { number, letters, ended, first, last, hasFile } = chunk
  const name = t('batch.file', { number })
  const path = pathOf(downloadLetterBatch.path, { id: batch.id, chunk: number })
  return (
    <Group justify="space-between">
      <div>
        <Text>{name}</Text>
        <Text size="sm" c="dimmed">
          {hasFile
            ? t('batch.fileOf', { letters: wholeNumber(letters), first, last })
            : t(`batch.${chunkState(batch, chunk)}`)}
        </Text>
        {ended > 0 && <Text size="sm">{t('batch.ended', { count: ended })}</Text>}
      </div>
      {hasFile && ended < letters && (
        <Button
          variant="default"
          size="sm"
          loading={file.busy}
          onClick={() => file.start(path, `${batch.kind}-${number}.pdf`)}
          aria-label={`${t('download')}: ${name}`}
        >
          {t('download')}
        </Button>
      )}
    </Group>
  )
}

function Refusals({ batch: { refused, refusals } }: { batch: LetterBatch }) {
  const { t } = useTranslation('letters')
  const { may } = useSession()
  return (
    <Card title={t('batch.refusedTitle')}>
      <Stack gap="sm">
        {refusals.length < refused && (
          <Text size="sm" c="dimmed">
            {t('batch.refusedMore', { shown: wholeNumber(refusals.length), count: refused })}
          </Text>
        )}
        {refusals.map(({ registrationId, code, name, reason }) => (
          <div key={registrationId}>
            <Text>
              {may('pendaftaran-view') ? (
                <Anchor component={Link} to={`/pendaftaran/${registrationId}`}>
                  {code}
                </Anchor>
              ) : (
                code
              )}{' '}
              · {name}
            </Text>
            <Text size="sm" c="dimmed">
              {reason}
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  )
}
