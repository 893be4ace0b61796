import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { makeInboundSecret, makeKeyPair, type ProviderDetail } from '#domain/payments/providers/endpoints.ts'
import type { SnapSettings } from '#domain/payments/providers/provider-kinds.ts'
import { longDate } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Copied } from '#web/ui/text/copied.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useProviderAction } from './use-provider-action.ts'

type Props = { provider: ProviderDetail; snap: SnapSettings }

/** Keys generated here for the bank. The secret is shown once, the private key never. */
export function KeysCard({ provider: { id, secrets, ourPublicKey, pending }, snap }: Props) {
  const { t } = useTranslation('providers')
  const { language } = useSurroundings()
  const { may } = useSession()
  const { act, running } = useProviderAction(id)
  const [newSecret, setNewSecret] = useState<{ clientKey: string; secret: string }>()
  const makeSecret = async () => {
    const answer = await act('secret', () => sendOnce(makeInboundSecret, { params: { id } }))
    if (answer) setNewSecret(answer.data)
  }
  const makePair = () =>
    act(
      'pair',
      () => sendOnce(makeKeyPair, { params: { id } }),
      () => t('keyMade'),
    )
  const storedSecret = secrets.inboundSecret
  const mayChange = may('settings-providers-update') && !pending
  return (
    <Card title={t('keys')}>
      <Stack gap="lg">
        {snap.inboundSignature === 'symmetric' && (
          <Stack gap="sm">
            <Text fw={600}>{t('inboundPair')}</Text>
            {snap.inboundClientKey && <Copied label={t('inboundClientKey')} value={snap.inboundClientKey} />}
            {newSecret ? (
              <Alert color="blue" variant="light" role="status">
                <Text mb="xs">{t('shownOnce')}</Text>
                <Copied label={t('inboundSecretOnce')} value={newSecret.secret} />
              </Alert>
            ) : (
              <Text size="sm">
                {storedSecret
                  ? t('secretStored', { lastFour: storedSecret.lastFour, date: longDate(storedSecret.setAt, language) })
                  : t('inboundNone')}
              </Text>
            )}
            {mayChange && (
              <div>
                {storedSecret ? (
                  <ConfirmButton variant="default" message={t('inboundRenewText')} onConfirm={makeSecret}>
                    {t('inboundRenew')}
                  </ConfirmButton>
                ) : (
                  <Button
                    variant="default"
                    loading={running === 'secret'}
                    onClick={makeSecret}
                    children={t('inboundMake')}
                  />
                )}
              </div>
            )}
          </Stack>
        )}
        <Stack gap="sm">
          {ourPublicKey ? (
            <Copied label={t('ownKey')} help={t('ownKeyHelp')} value={ourPublicKey.trim()} />
          ) : (
            <Text fw={600}>{t('ownKey')}</Text>
          )}
          {mayChange && (
            <div>
              {ourPublicKey ? (
                <ConfirmButton variant="default" message={t('keyRenewText')} onConfirm={makePair}>
                  {t('keyRenew')}
                </ConfirmButton>
              ) : (
                <Button variant="default" loading={running === 'pair'} onClick={makePair} children={t('keyMake')} />
              )}
            </div>
          )}
        </Stack>
      </Stack>
    </Card>
  )
}
