import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { readConnection } from '#domain/whatsapp/endpoints.ts'
import { isNotFound } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { usePageTitle, useScreenTitle } from '#web/app/title.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailed } from '#web/ui/load-failed.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ConnectionForm } from './connection-form.tsx'

/** A new connection, or one to change. */
export default function WhatsappFormPage() {
  const { id } = useParams()
  const { t } = useTranslation('common')
  const title = useScreenTitle()
  const answer = useEndpoint(
    readConnection,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, refetchOnWindowFocus: false },
  )
  const connection = id ? answer.data?.data : undefined
  usePageTitle(connection ? `${title}: ${connection.name}` : null)
  if (id && answer.isPending) return <LoadingRows rows={8} />
  if (answer.error && !isNotFound(answer.error)) return <LoadFailed error={answer.error} onRetry={answer.refetch} />
  if (id && !connection) return <EmptyState title={t('errors.notFoundTitle')} />
  return (
    <>
      <PageHeader title={connection?.name ?? title} />
      <ConnectionForm key={connection ? `${connection.id} ${connection.version}` : 'new'} connection={connection} />
    </>
  )
}
