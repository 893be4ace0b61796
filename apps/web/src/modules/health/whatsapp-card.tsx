import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readHealth, retryWhatsapp, type WhatsappItem } from '#domain/health/endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './health.module.css'

type Props = { whatsapp: { notUnderstood: number; items: readonly WhatsappItem[] } }

/** Webhook items from Meta that appear in no conversation, with the reasons. */
export function WhatsappCard({ whatsapp: { notUnderstood, items } }: Props) {
  const { t } = useTranslation('health')
  const { language } = useSurroundings()
  const { may } = useSession()
  const { act, running } = useAction(keyOf(readHealth))
  return (
    <Card title={t('whatsapp.title')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t(notUnderstood > 0 ? 'whatsapp.text' : 'whatsapp.none')}
        </Text>
        <ul className={classes.lines}>
          {items.map(({ id, connection, kind, receivedAt, problem, detail }) => (
            <li key={id} className={classes.line}>
              <Text size="sm" className={classes.says}>
                {problem ? t(`whatsapp.problem.${problem}`, { detail: detail ?? '' }) : t('whatsapp.waits')}
              </Text>
              <Text size="xs" c="dimmed">
                {t(`whatsapp.kind.${kind}`)} · {connection} · {dateTime(receivedAt, language)}
              </Text>
            </li>
          ))}
        </ul>
        {notUnderstood > items.length && (
          <Text size="xs" c="dimmed">
            {t('whatsapp.more', { shown: wholeNumber(items.length), total: wholeNumber(notUnderstood) })}
          </Text>
        )}
        {notUnderstood > 0 && may('settings-health-update') && (
          <div>
            <Button
              size="compact-md"
              variant="default"
              loading={running !== undefined}
              onClick={() =>
                act(
                  'retry',
                  () => sendOnce(retryWhatsapp, { body: {} }),
                  ({ data }) => t('whatsapp.retried', { count: data.retried }),
                )
              }
            >
              {t('whatsapp.retry')}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  )
}
