import { useParams } from 'react-router'
import { readConnection } from '#domain/whatsapp/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { ConnectionForm } from './connection-form.tsx'

/** Adds or changes a connection. */
export default function WhatsappFormPage() {
  const { id } = useParams()
  const title = useScreenTitle()
  const answer = useEndpoint(
    readConnection,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, refetchOnWindowFocus: false },
  )
  const connection = id ? answer.data?.data : undefined
  usePageTitle(connection ? `${title}: ${connection.name}` : null)
  if (id && answer.isPending) return <LoadingRows rows={8} />
  if (id && !connection) return <RecordFailed error={answer.error} onRetry={answer.refetch} />
  return (
    <>
      <PageHeader title={connection?.name ?? title} />
      <ConnectionForm key={connection ? `${connection.id} ${connection.version}` : 'new'} connection={connection} />
    </>
  )
}
