import { Alert, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type readOptOut, readOwnOptOuts, saveOwnOptOuts } from '#domain/campaigns/address-endpoints.ts'
import type { MarketingPurpose } from '#domain/campaigns/campaigns.ts'
import type { Answer } from '#domain/endpoint.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'

type Props = {
  purposes: (Answer<typeof readOptOut>['data']['purposes'][number] & { mayUndo?: boolean })[]
  /** Purpose that is being saved, or `all`; undefined while nothing is being saved. */
  running: string | undefined
  onSave: (name: string, optedOut: MarketingPurpose[]) => void
  /** Whether the caller draws one card around all purposes. Otherwise each purpose gets a card. */
  isInCard?: boolean
}

/** Marketing purposes, with buttons that stop or resume their messages. */
export function Purposes({ purposes, running, onSave, isInCard = false }: Props) {
  const { t } = useTranslation('opt-out')
  const Frame = isInCard ? Part : Card
  const optedOut = purposes.filter((entry) => entry.optedOut).map(({ purpose }) => purpose)
  return (
    <>
      {purposes.map(({ purpose, optedOut: isOut, mayUndo = true }) => (
        <Frame key={purpose} title={t(`purpose.${purpose}.title`)}>
          <Stack gap="sm">
            <Text>{t(`purpose.${purpose}.text`)}</Text>
            <div role="status" aria-live="polite">
              {isOut && (
                <Alert variant="light" color="green">
                  {t('stopped')}
                </Alert>
              )}
            </div>
            {isOut && !mayUndo ? (
              <Text>{t('ownerOnly')}</Text>
            ) : (
              <Button
                mih={44}
                aria-label={`${t(isOut ? 'undo' : 'stop')}: ${t(`purpose.${purpose}.title`)}`}
                variant={isOut || isInCard ? 'default' : 'filled'}
                loading={running === purpose}
                onClick={() =>
                  onSave(purpose, isOut ? optedOut.filter((other) => other !== purpose) : [...optedOut, purpose])
                }
                style={{ alignSelf: 'start' }}
              >
                {t(isOut ? 'undo' : 'stop')}
              </Button>
            )}
          </Stack>
        </Frame>
      ))}
      {optedOut.length < purposes.length && (
        <Button
          mih={44}
          variant="default"
          loading={running === 'all'}
          onClick={() =>
            onSave(
              'all',
              purposes.map(({ purpose }) => purpose),
            )
          }
          style={{ alignSelf: 'start' }}
        >
          {t('stopAll')}
        </Button>
      )}
      <Text size="sm" c="dimmed">
        {t('service')}
      </Text>
    </>
  )
}

/** Lets the signed-in account stop or resume marketing. */
export function OwnPurposes({ isInCard = false }: Pick<Props, 'isInCard'>) {
  const { data, error, refetch } = useEndpoint(readOwnOptOuts, {})
  const { running, act } = useAction(keyOf(readOwnOptOuts))
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
  return (
    <Purposes
      purposes={data.data.purposes}
      running={running}
      onSave={(name, optedOut) => act(name, () => sendOnce(saveOwnOptOuts, { body: { optedOut } }))}
      isInCard={isInCard}
    />
  )
}

/** Card of the account settings with the account's own opt-outs. */
export function OptOutCard() {
  const { t } = useTranslation('opt-out')
  return (
    <Card title={t('own.title')}>
      <Stack gap="lg">
        <Text c="dimmed">{t('own.text')}</Text>
        <OwnPurposes isInCard />
      </Stack>
    </Card>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={4}>
      <Text component="h3" fw={600} m={0}>
        {title}
      </Text>
      {children}
    </Stack>
  )
}
