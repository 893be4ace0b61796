import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import { testConnection, type WhatsappConnection } from '#domain/whatsapp/endpoints.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/app/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useConnectionActions } from './use-connection-actions.ts'

/** A few words to the own phone. */
export function TestCard({ connection: { id, kind, active } }: { connection: WhatsappConnection }) {
  const { t } = useTranslation('whatsapp')
  const { may } = useSession()
  const { act, running } = useConnectionActions(id)
  if (!may('settings-whatsapp-update')) return null
  return (
    <Card title={t('testTitle')}>
      <Stack gap="md" align="flex-start">
        <Text>{t('testText')}</Text>
        {kind === 'cloud' && (
          <Text size="sm" c="dimmed">
            {t('testCloudNote')}
          </Text>
        )}
        <DisabledReason
          variant="default"
          reason={active ? null : t('state.inactive')}
          loading={running === 'test'}
          onClick={() =>
            act(
              'test',
              () => call(testConnection, { params: { id } }),
              ({ data }) => t('testSent', { to: formatPhone(data.to) }),
            ).catch(() => {})
          }
        >
          {t('testButton')}
        </DisabledReason>
      </Stack>
    </Card>
  )
}
