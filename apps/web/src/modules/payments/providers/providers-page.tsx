import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listNewProviders, listProviders, type ProviderRow } from '#domain/payments/provider-endpoints.ts'
import { providerKinds } from '#domain/payments/provider-kinds.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { PendingConnectionNotice } from './pending-connection-notice.tsx'
import { StandingDot } from './standing-dot.tsx'

/** Banks and gateways the university is connected to. */
export default function ProvidersPage() {
  const { t } = useTranslation('providers')
  const { may } = useSession()
  const { language } = useSurroundings()
  const { data: asked, error, refetch } = useEndpoint(listNewProviders)
  return (
    <ListPage<ProviderRow>
      name="providers"
      title={useScreenTitle()}
      endpoint={listProviders}
      defaultSort="name"
      searchLabel={t('search')}
      summary={
        error && !asked ? (
          <Missing what={t('pending')} error={error} onRetry={refetch} />
        ) : (
          asked?.data.map((connection) => <PendingConnectionNotice key={connection.id} connection={connection} />)
        )
      }
      rowId={({ id }) => id}
      rowTitle={({ name }) => name}
      href={({ id }) => `/settings/providers/${id}/view`}
      dimmed={({ active }) => !active}
      empty={{ title: t('empty'), text: t('emptyText') }}
      columns={[
        { key: 'name', label: t('name'), sort: true, cell: ({ name }) => name },
        { key: 'standing', label: t('standing'), cell: ({ standing }) => <StandingDot standing={standing} /> },
        { key: 'kind', label: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
        {
          key: 'banks',
          label: t('banks'),
          cell: ({ banks, low }) => (
            <>
              {banks.join(', ') || '—'}
              {low.length > 0 && (
                <span style={{ marginLeft: 12 }}>
                  <StatusDot tone="attention" label={t('low', { banks: low.join(', ') })} />
                </span>
              )}
            </>
          ),
        },
        { key: 'code', label: t('code'), hidden: true, cell: ({ code }) => code },
        {
          key: 'createdAt',
          label: t('created'),
          sort: true,
          hidden: true,
          cell: ({ createdAt }) => dateTime(createdAt, language),
        },
      ]}
      filters={[
        {
          key: 'kind',
          label: t('kind'),
          kind: 'choice',
          choices: providerKinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
        },
        {
          key: 'active',
          label: t('active'),
          kind: 'choice',
          quick: true,
          choices: [
            { value: 'true', label: t('active') },
            { value: 'false', label: t('inactive') },
          ],
        },
      ]}
      actions={
        may('settings-providers-create') && (
          <Button component={Link} to="/settings/providers/create" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('add')}
          </Button>
        )
      }
    />
  )
}
