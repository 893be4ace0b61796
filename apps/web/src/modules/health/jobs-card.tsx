import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type JobQueue, readHealth, retryJobs } from '#domain/health/endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './health.module.css'

/** Queues with work, and their failed jobs with the reason and a retry button. */
export function JobsCard({ queues }: { queues: readonly JobQueue[] }) {
  const { t } = useTranslation('health')
  return (
    <Card title={t('jobs')}>
      <Text size="sm" c="dimmed" mb="sm">
        {queues.length > 0 ? t('jobsText') : t('jobsNone')}
      </Text>
      <ul className={classes.lines}>
        {queues.map((queue) => (
          <Queue key={queue.name} queue={queue} />
        ))}
      </ul>
    </Card>
  )
}

function Queue({ queue: { name, waiting, running, failed, failures } }: { queue: JobQueue }) {
  const { t } = useTranslation('health')
  const { language } = useSurroundings()
  const { may } = useSession()
  const { act, actOrThrow, running: acting } = useAction(keyOf(readHealth))
  const mayRetry = may('settings-health-update')
  const messageOf = ({ data }: { data: { retried: number } }) => t('retried', { count: data.retried })
  return (
    <li className={classes.line}>
      <div className={classes.head}>
        <Text fw={600} className={classes.says}>
          <code>{name}</code>
        </Text>
        <Text size="sm">
          {t('queueState', {
            waiting: wholeNumber(waiting),
            running: wholeNumber(running),
            failed: wholeNumber(failed),
          })}
        </Text>
      </div>
      {failures.length > 0 && (
        <Stack gap="xs">
          {failures.map(({ id, failedAt, attempts, problem }) => (
            <div key={id} className={classes.head}>
              <div>
                <Text size="sm" className={classes.says}>
                  {problem || t('noReason')}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('attempts', { count: attempts, at: dateTime(failedAt, language) })}
                </Text>
              </div>
              {mayRetry && (
                <Button
                  size="compact-md"
                  variant="default"
                  loading={acting === id}
                  onClick={() => act(id, () => sendOnce(retryJobs, { body: { queue: name, ids: [id] } }), messageOf)}
                >
                  {t('retry')}
                </Button>
              )}
            </div>
          ))}
          {mayRetry && failed > 1 && (
            <div>
              <ConfirmButton
                size="compact-md"
                variant="default"
                message={t('retryQuestion', { queue: name })}
                onConfirm={() => actOrThrow('all', () => sendOnce(retryJobs, { body: { queue: name } }), messageOf)}
              >
                {t('retryAll', { count: failed })}
              </ConfirmButton>
            </div>
          )}
        </Stack>
      )}
    </li>
  )
}
