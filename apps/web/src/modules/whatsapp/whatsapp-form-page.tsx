import { useParams } from 'react-router'
import { readConnection } from '#domain/whatsapp/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
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
  if (id && !connection) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={8} />
  return (
    <>
      <PageHeader title={connection?.name ?? title} />
      <ConnectionForm key={connection ? `${connection.id} ${connection.version}` : 'new'} connection={connection} />
    </>
  )
}
