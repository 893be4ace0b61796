import { Badge, Button, Group, Stack } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { readConnection } from '#domain/whatsapp/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Deliveries } from './deliveries.tsx'
import { DeviceWarning } from './device-warning.tsx'
import { StateCard } from './state-card.tsx'
import { TestCard } from './test-card.tsx'
import { WebhookCard } from './webhook-card.tsx'
import classes from './whatsapp.module.css'
import { StandingDot } from './words.tsx'

/** Milliseconds between refetches while the status is changing; `atRest` otherwise. */
const refetchPauseMs = { connecting: 2_000, pairing: 2_000, retrying: 4_000 } as Record<string, number>
const atRest = 15_000

/** Page of a connection: status, pairing, a test, and messages. */
export default function WhatsappViewPage() {
  const { t } = useTranslation('whatsapp')
  const { id = '' } = useParams()
  const { may } = useSession()
  const { data, error, refetch } = useEndpoint(
    readConnection,
    { params: { id } },
    { refetchInterval: (query) => refetchPauseMs[query.state.data?.data.standing ?? ''] ?? atRest },
  )
  const connection = data?.data
  usePageTitle(connection?.name)
  if (!connection) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return (
    <>
      <PageHeader
        title={connection.name}
        description={
          <Group gap="sm" component="span">
            <StandingDot standing={connection.standing} />
            <span>{t(`kinds.${connection.kind}`)}</span>
            {connection.isDefault && <Badge component="span" variant="light" children={t('default')} />}
          </Group>
        }
        actions={
          may('settings-whatsapp-update') && (
            <Button
              component={Link}
              to={`/settings/whatsapp/${id}`}
              variant="default"
              leftSection={<IconPencil size={18} aria-hidden />}
            >
              {t('edit')}
            </Button>
          )
        }
      />
      {connection.kind === 'device' && <DeviceWarning mb={20} />}
      <div className={classes.layout}>
        <StateCard connection={connection} />
        <Stack gap={20}>
          {connection.kind === 'cloud' && <WebhookCard connection={connection} />}
          <TestCard connection={connection} />
        </Stack>
      </div>
      <Deliveries id={id} />
    </>
  )
}
