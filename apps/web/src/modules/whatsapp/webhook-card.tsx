import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renewVerifyToken, type WhatsappConnection } from '#domain/whatsapp/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Copied } from '#web/ui/text/copied.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useConnectionActions } from './use-connection-actions.ts'

/** Values for Meta's console, so that Meta reports message delivery. */
export function WebhookCard({ connection: { id, webhookUrl, secrets } }: { connection: WhatsappConnection }) {
  const { t } = useTranslation('whatsapp')
  const { language } = useSurroundings()
  const { may } = useSession()
  const { actOrThrow, running } = useConnectionActions(id)
  const [token, setToken] = useState<string>()
  const renew = async () => {
    const { data } = await actOrThrow('token', () => sendOnce(renewVerifyToken, { params: { id } }))
    setToken(data.verifyToken)
  }
  return (
    <Card title={t('webhook')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('webhookText')}
        </Text>
        {!secrets.appSecret && (
          <Alert color="orange" variant="light">
            {t('appSecretMissing')}
          </Alert>
        )}
        <Copied label={t('webhookUrl')} value={webhookUrl ?? ''} />
        {token ? (
          <Stack gap="xs">
            <Copied label={t('verifyToken')} value={token} />
            <Text size="sm" role="status">
              {t('verifyTokenOnce')}
            </Text>
          </Stack>
        ) : (
          <div>
            <Text size="sm" fw={500}>
              {t('verifyToken')}
            </Text>
            <Text size="sm">
              {secrets.verifyToken
                ? `•••• · ${t('verifyTokenSet', { date: longDate(secrets.verifyToken, language) })}`
                : t('verifyTokenNone')}
            </Text>
          </div>
        )}
        {may('settings-whatsapp-update') &&
          (secrets.verifyToken ? (
            <div>
              <ConfirmButton variant="default" message={t('verifyTokenRenewText')} onConfirm={renew}>
                {t('verifyTokenRenew')}
              </ConfirmButton>
            </div>
          ) : (
            <div>
              <Button
                variant="default"
                loading={running === 'token'}
                onClick={() => renew().catch(() => {})}
                children={t('verifyTokenMake')}
              />
            </div>
          ))}
      </Stack>
    </Card>
  )
}
