import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  type AccountDetail,
  endSessionOfAccount,
  endSessionsOfAccount,
  listSessionsOfAccount,
} from '#domain/accounts/staff-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { deviceName } from '#web/modules/accounts/device-name.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './staff.module.css'
import { useAccountActions } from './use-account-actions.ts'

/** Sessions of the account, each with a button that ends it. */
export function SessionsOfAccount({ account }: { account: AccountDetail }) {
  const { t } = useTranslation('staff-accounts')
  const { language } = useSurroundings()
  const { seenBy } = useSession()
  const { id, refusals } = account
  const { data, error, refetch } = useEndpoint(listSessionsOfAccount, { params: { id } }, { enabled: !seenBy })
  const { act } = useAccountActions(id)
  if (seenBy) return null
  const sessions = data?.data
  const end = (sessionId: string) =>
    act(
      'end',
      () => sendOnce(endSessionOfAccount, { params: { id, sessionId } }),
      () => t('detail.ended'),
    )
  const endAll = () =>
    act(
      'endAll',
      () => sendOnce(endSessionsOfAccount, { params: { id } }),
      () => t('detail.ended'),
    )
  return (
    <Card title={t('detail.sessions')}>
      {!sessions ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={3} />
      ) : sessions.length === 0 ? (
        <Text c="dimmed">{t('detail.noSessions')}</Text>
      ) : (
        <ul className={classes.list}>
          {sessions.map((session) => (
            <li key={session.id}>
              <div className={classes.words}>
                <Text fw={500}>{deviceName(session.userAgent) ?? t('detail.unknownDevice')}</Text>
                <Text size="sm" c="dimmed">
                  {t('detail.lastSeen', { time: dateTime(session.lastSeenAt, language) })}
                  {session.ip && ` · ${session.ip}`}
                </Text>
              </div>
              {!refusals.change && (
                <Button size="compact-md" variant="default" onClick={() => end(session.id)}>
                  {t('detail.endSession')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {sessions && sessions.length > 0 && (
        <DisabledReason mt="md" variant="default" reason={refusals.change} onClick={endAll}>
          {t('detail.endAll')}
        </DisabledReason>
      )}
    </Card>
  )
}
