import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listNewProviders } from '#domain/payments/providers/endpoints.ts'
import { listProviders } from '#domain/payments/providers/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { PendingConnectionNotice } from './pending-connection-notice.tsx'
import { StandingDot } from './standing-dot.tsx'

/** Banks and gateways with a connection. */
export default function ProvidersPage() {
  const { t } = useTranslation('providers')
  const { may } = useSession()
  const { demo } = useBranding()
  const { data: newProviders, error, refetch } = useEndpoint(listNewProviders)
  return (
    <>
      {error && !newProviders && <Missing what={t('pending')} error={error} onRetry={refetch} />}
      {newProviders && newProviders.data.length > 0 && (
        <Stack mb="md">
          {newProviders.data.map((connection) => (
            <PendingConnectionNotice key={connection.id} connection={connection} />
          ))}
        </Stack>
      )}
      <DataList
        list={listProviders}
        title={useScreenTitle()}
        searchLabel={t('search')}
        rowTitle={({ name }) => name}
        href={({ id }) => `/settings/providers/${id}/view`}
        dimmed={({ active }) => !active}
        empty={{ title: t('empty'), text: t(demo ? 'emptyDemo' : 'emptyText') }}
        cells={{
          standing: ({ standing }) => <StandingDot standing={standing} />,
          banks: ({ banks, low }) => (
            <>
              {banks.join(', ') || '—'}
              {low.length > 0 && (
                <span style={{ marginLeft: 12 }}>
                  <StatusDot tone="attention" label={t('low', { banks: low.join(', ') })} />
                </span>
              )}
            </>
          ),
        }}
        actions={
          may('settings-providers-create') && (
            <Button component={Link} to="/settings/providers/create" leftSection={<IconPlus size={18} aria-hidden />}>
              {t('add')}
            </Button>
          )
        }
      />
    </>
  )
}
