import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { readOptOut, readOwnOptOuts, saveOptOut, saveOwnOptOuts } from '#domain/campaigns/address-endpoints.ts'
import type { MarketingPurpose } from '#domain/campaigns/campaigns.ts'
import type { Answer } from '#domain/endpoint.ts'
import { ApiError, isNotFound } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useBranding } from '#web/shell/branding.ts'
import { pathOf } from '#web/shell/page-table.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'

/** Behind the link of a marketing message: one tap ends the messages of a purpose, another one takes it back. */
export default function OptOutPage() {
  const { token = '' } = useParams()
  const { t } = useTranslation('opt-out')
  const title = useScreenTitle()
  const { data, error, refetch } = useEndpoint(readOptOut, { params: { token } }, { quietAs: 'optOut' })
  const { running, act } = useAction(keyOf(readOptOut))
  if (isUnreadable(error)) return <BrokenLink />
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={4} />
  const { address, university, purposes } = data.data
  return (
    <Stack maw={560} mx="auto" gap="md">
      <div>
        <Title order={1}>{title}</Title>
        <Text mt={4}>{t('lead', { university, address })}</Text>
      </div>
      <Purposes
        purposes={purposes}
        running={running}
        onSave={(name, optedOut) => act(name, () => sendOnce(saveOptOut, { params: { token }, body: { optedOut } }))}
      />
    </Stack>
  )
}

/** A link that the server does not know, or that is too short to be one. */
const isUnreadable = (error: Error | null) => isNotFound(error) || (error instanceof ApiError && error.status === 422)

/** Stands where a link was shortened or is too old: what its reader can do without it. */
function BrokenLink() {
  const { t } = useTranslation('opt-out')
  const { name: university } = useBranding()
  const { signedIn } = useSession()
  const { pathname } = useLocation()
  return (
    <Stack maw={560} mx="auto" gap="md">
      <div>
        <Title order={1}>{t('broken.title')}</Title>
        <Text mt={4}>{t('broken.text')}</Text>
      </div>
      {signedIn ? (
        <OwnPurposes />
      ) : (
        <Button
          component={Link}
          to={`${pathOf('sign-in')}?next=${encodeURIComponent(pathname)}`}
          style={{ alignSelf: 'start' }}
        >
          {t('broken.signIn')}
        </Button>
      )}
      <Text>{t('broken.reply')}</Text>
      <Text>{t('broken.contact', { university })}</Text>
    </Stack>
  )
}

function OwnPurposes() {
  const { t } = useTranslation('opt-out')
  const { data, error, refetch } = useEndpoint(readOwnOptOuts, {})
  const { running, act } = useAction(keyOf(readOwnOptOuts))
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={4} />
  return (
    <>
      <Text>{t('broken.own')}</Text>
      <Purposes
        purposes={data.data.purposes}
        running={running}
        onSave={(name, optedOut) => act(name, () => sendOnce(saveOwnOptOuts, { body: { optedOut } }))}
      />
    </>
  )
}

type PurposesProps = {
  purposes: (Answer<typeof readOptOut>['data']['purposes'][number] & { mayUndo?: boolean })[]
  /** Name of the choice that is being saved. */
  running: string | undefined
  onSave: (name: string, optedOut: MarketingPurpose[]) => void
}

function Purposes({ purposes, running, onSave }: PurposesProps) {
  const { t } = useTranslation('opt-out')
  const optedOut = purposes.filter((entry) => entry.optedOut).map(({ purpose }) => purpose)
  return (
    <>
      {purposes.map(({ purpose, optedOut: isOut, mayUndo = true }) => (
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
            {isOut && !mayUndo ? (
              <Text>{t('ownerOnly')}</Text>
            ) : (
              <Button
                mih={44}
                aria-label={`${t(isOut ? 'undo' : 'stop')}: ${t(`purpose.${purpose}.title`)}`}
                variant={isOut ? 'default' : 'filled'}
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
        </Card>
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
