import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AccountSession, endOtherSessions, endSession, listSessions } from '#domain/accounts/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { deviceName } from '#web/modules/accounts/device-name.ts'
import { useLanguage } from '#web/shell/language.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import classes from './sessions-card.module.css'

/** Sessions of the account, each with a button that ends it. */
export function SessionsCard() {
  const { t } = useTranslation(['accounts', 'account-settings'])
  const queries = useQueryClient()
  const { data, error, refetch } = useEndpoint(listSessions)
  const language = useLanguage()
  const end = useMutation({
    mutationFn: (session: AccountSession | null) =>
      session ? sendOnce(endSession, { params: { id: session.id } }) : sendOnce(endOtherSessions),
    onSuccess: () => notifications.show({ color: 'green', message: t('account-settings:ended') }),
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(listSessions) }),
  })
  const sessions = data?.data
  return (
    <Card title={t('account-settings:sessions')}>
      <Stack gap="md">
        <Text c="dimmed">{t('account-settings:sessionsText')}</Text>
        {sessions ? (
          <ul className={classes.list}>
            {sessions.map((session) => (
              <li key={session.id} className={classes.session}>
                <div className={classes.words}>
                  <Group gap="sm">
                    <Text fw={500}>{deviceName(session.userAgent) ?? t('account-settings:unknownDevice')}</Text>
                    {session.current && <StatusDot tone="done" label={t('account-settings:thisDevice')} />}
                  </Group>
                  <Text size="sm" c="dimmed">
                    {t('account-settings:lastSeen', { time: dateTime(session.lastSeenAt, language) })}
                    {session.ip && ` · ${session.ip}`}
                  </Text>
                </div>
                {!session.current && (
                  <Button
                    variant="default"
                    onClick={() => end.mutate(session)}
                    loading={end.isPending && end.variables?.id === session.id}
                  >
                    {t('account-settings:endSession')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        ) : (
          <LoadingOrFailed error={error} onRetry={refetch} />
        )}
        {sessions && sessions.length > 1 && (
          <Group>
            <Button
              variant="default"
              onClick={() => end.mutate(null)}
              loading={end.isPending && end.variables === null}
            >
              {t('account-settings:endOthers')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}
