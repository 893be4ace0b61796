import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { listPublications } from '#domain/admissions/endpoints.ts'
import {
  adoptSelectionRun,
  readSelectionRun,
  type SelectionRun,
  verifySelectionRun,
} from '#domain/selection/endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { Publications } from '#web/modules/admissions/staff/publish-results.tsx'
import classes from '#web/modules/selection/selection.module.css'
import { isBusy } from '#web/modules/selection/tones.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { AdoptedText } from './adopted-text.tsx'
import { NewerScores } from './newer-scores.tsx'

const pollMs = 1_000

/** The verifier's result rule by rule, the adoption, and a link to the publication. */
export default function PublishRunPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('selection')
  const { data, error, refetch } = useEndpoint(
    readSelectionRun,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data && isBusy(state.data.data.status) ? pollMs : false) },
  )
  const run = data?.data
  if (!run) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return (
    <>
      <PageHeader
        title={t('publish.title')}
        description={run.name}
        actions={
          <Button component={Link} to={`/seleksi/${run.id}`} variant="default">
            {t('publish.back')}
          </Button>
        }
      />
      <Stack>
        <Verification run={run} />
        <Adoption run={run} />
        {run.adoptedAt && <Publication run={run} />}
      </Stack>
    </>
  )
}

function Verification({ run }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const { language } = useSurroundings()
  const { act, running } = useAction(keyOf(readSelectionRun, { params: { id: run.id } }))
  const reason = run.refusal ?? (run.status === 'computed' ? null : t('errors:selection_not_computed'))
  return (
    <Card title={t('publish.verify')}>
      <Stack gap="sm">
        <Text c="dimmed">{t('publish.verifyText')}</Text>
        <Text role="status" fw={500}>
          {run.verifiedAt
            ? t('publish.verified', { time: dateTime(run.verifiedAt, language) })
            : t(run.checks ? 'publish.faulty' : 'publish.none')}
        </Text>
        {run.checks && (
          <ul className={classes.rules}>
            {run.checks.map(({ rule, faults, examples }) => (
              <li key={rule}>
                <Group justify="space-between" gap="xs">
                  <Text>{t(`rule.${rule}`)}</Text>
                  <StatusDot
                    tone={faults === 0 ? 'done' : 'stopped'}
                    label={faults === 0 ? t('publish.right') : t('publish.faults', { count: faults })}
                  />
                </Group>
                {examples.length > 0 && (
                  <Text size="sm" c="dimmed">
                    {t('publish.examples', { list: examples.join(', ') })}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        )}
        {run.status !== 'adopted' && (
          <Group>
            <DisabledReason
              variant={run.verifiedAt ? 'default' : 'filled'}
              reason={reason}
              showsReason
              loading={running === 'verify'}
              onClick={() =>
                void act('verify', () => sendOnce(verifySelectionRun, { params: { id: run.id }, body: {} }))
              }
            >
              {t(run.checks ? 'publish.again' : 'publish.verify')}
            </DisabledReason>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function Publication({ run }: { run: SelectionRun }) {
  const { t } = useTranslation(['selection', 'staff'])
  const { may } = useSession()
  return (
    <Card title={t('staff:publish.title')}>
      {may(listPublications.access) ? (
        <Publications only={{ waveId: run.wave.id, trackIds: run.rules.tracks.map(({ trackId }) => trackId) }} />
      ) : (
        <Text c="dimmed">{t('publish.publishRight')}</Text>
      )}
    </Card>
  )
}

/** When each track's applicants see the decisions, unless the next publication is the track's first. */
function Appearance({ run: { publications } }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const { language } = useSurroundings()
  const due = publications.flatMap(({ track, publishedAt, publishAt }) => {
    if (publishAt) return { track, text: t('publish.appearsAt', { track, time: dateTime(publishAt, language) }) }
    const time = publishedAt && dateTime(publishedAt, language)
    return time ? { track, text: t('publish.appearsApart', { track, time }) } : []
  })
  if (due.length === 0) return null
  return (
    <Alert color="blue" variant="light">
      {due.map(({ track, text }) => (
        <Text key={track} size="sm">
          {text}
        </Text>
      ))}
    </Alert>
  )
}

function Adoption({ run }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const { may } = useSession()
  const { actOrThrow } = useAction(keyOf(readSelectionRun, { params: { id: run.id } }))
  const adopted = run.others.find(({ status }) => status === 'adopted')
  const refusal =
    run.refusal ??
    (!may('pendaftaran-decide') ? t('publish.adoptRight') : !run.verifiedAt ? t('publish.adoptWaits') : null)
  if (run.adoptedAt)
    return (
      <Card title={t('publish.adopt')}>
        <Stack gap="sm">
          <div role="status">
            <AdoptedText run={run} adoptedAt={run.adoptedAt} />
          </div>
          <Group>
            <Button component={Link} to={`/pendaftaran?waveId=${run.wave.id}`} variant="default">
              {t('publish.toRegistrations')}
            </Button>
            <Button component={Link} to="/seleksi/reserve" variant="default">
              {t('publish.toReserve')}
            </Button>
          </Group>
        </Stack>
      </Card>
    )
  return (
    <Card title={t('publish.adopt')}>
      <Stack gap="sm">
        <Text c="dimmed">{t('publish.adoptText')}</Text>
        <Appearance run={run} />
        {run.failure && (
          <Alert color="red" variant="light" role="alert">
            {run.failure}
          </Alert>
        )}
        <NewerScores run={run} />
        {adopted && (
          <Text>
            {t('publish.difference')}{' '}
            <Anchor component={Link} to={`/seleksi/${run.id}?part=compare&with=${adopted.id}`}>
              {t('publish.toDifference')}
            </Anchor>
          </Text>
        )}
        {run.status === 'adopting' ? (
          <Text role="status">{t('page.adopting')}</Text>
        ) : refusal ? (
          <Group>
            <DisabledReason reason={refusal} showsReason>
              {t('publish.adopt')}
            </DisabledReason>
          </Group>
        ) : (
          <Group>
            <ConfirmButton
              message={t('publish.adoptConfirm', {
                placed: wholeNumber(run.counts?.placed ?? 0),
                reserve: wholeNumber(run.counts?.reserve ?? 0),
              })}
              onConfirm={() =>
                actOrThrow(
                  'adopt',
                  () => sendOnce(adoptSelectionRun, { params: { id: run.id }, body: { version: run.version } }),
                  () => t('publish.requested'),
                )
              }
            >
              {t('publish.adopt')}
            </ConfirmButton>
          </Group>
        )}
      </Stack>
    </Card>
  )
}
