import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { readOptOut, saveOptOut } from '#domain/campaigns/address-endpoints.ts'
import type { MarketingPurpose } from '#domain/campaigns/campaigns.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'

/** Behind the link of a marketing message: one tap ends the messages of a purpose, another one takes it back. */
export default function OptOutPage() {
  const { token = '' } = useParams()
  const { t } = useTranslation('opt-out')
  const title = useScreenTitle()
  const { data, error, refetch } = useEndpoint(readOptOut, { params: { token } }, { quietAs: 'optOut' })
  const { running, act } = useAction(keyOf(readOptOut))
  const choice = data?.data
  if (!choice) return <LoadingRecord error={error} onRetry={refetch} rows={4} />
  const { address, university, purposes } = choice
  const optedOut = purposes.filter((entry) => entry.optedOut).map(({ purpose }) => purpose)
  const save = (name: string, next: MarketingPurpose[]) =>
    act(name, () => sendOnce(saveOptOut, { params: { token }, body: { optedOut: next } }))
  return (
    <Stack maw={560} mx="auto" gap="md">
      <div>
        <Title order={1}>{title}</Title>
        <Text mt={4}>{t('lead', { university, address })}</Text>
      </div>
      {purposes.map(({ purpose, optedOut: isOut }) => (
        <Card key={purpose} title={t(`purpose.${purpose}.title`)}>
          <Stack gap="sm">
            <Text>{t(`purpose.${purpose}.text`)}</Text>
            <div role="status" aria-live="polite">
              {isOut && (
                <Alert variant="light" color="green">
                  {t('stopped')}
                </Alert>
              )}
            </div>
            <Button
              mih={44}
              aria-label={`${t(isOut ? 'undo' : 'stop')}: ${t(`purpose.${purpose}.title`)}`}
              variant={isOut ? 'default' : 'filled'}
              loading={running === purpose}
              onClick={() =>
                save(purpose, isOut ? optedOut.filter((other) => other !== purpose) : [...optedOut, purpose])
              }
              style={{ alignSelf: 'start' }}
            >
              {t(isOut ? 'undo' : 'stop')}
            </Button>
          </Stack>
        </Card>
      ))}
      {optedOut.length < purposes.length && (
        <Button
          mih={44}
          variant="default"
          loading={running === 'all'}
          onClick={() =>
            save(
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
    </Stack>
  )
}
