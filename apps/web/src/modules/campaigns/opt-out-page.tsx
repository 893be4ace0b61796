import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { readOptOut, saveOptOut } from '#domain/campaigns/address-endpoints.ts'
import { ApiError, isNotFound } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useBranding } from '#web/shell/branding.ts'
import { pathOf } from '#web/shell/page-table.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { OwnPurposes, Purposes } from './purposes.tsx'

/** Page behind an opt-out link, where a recipient stops or resumes the messages of a purpose. */
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

/** Whether the link's token is unknown (404), or too short or too long (422). */
const isUnreadable = (error: Error | null) => isNotFound(error) || (error instanceof ApiError && error.status === 422)

/** Offers other ways to opt out when the link is broken. */
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
        <>
          <Text>{t('broken.own')}</Text>
          <OwnPurposes />
        </>
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
