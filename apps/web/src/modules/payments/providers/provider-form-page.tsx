import { useParams } from 'react-router'
import { readProvider } from '#domain/payments/providers/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ProviderForm } from './provider-form.tsx'

/** Creates or edits a connection to a bank. */
export default function ProviderFormPage() {
  const { id } = useParams()
  const title = useScreenTitle()
  const answer = useEndpoint(
    readProvider,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, refetchOnWindowFocus: false },
  )
  const provider = id ? answer.data?.data : undefined
  usePageTitle(provider ? `${title}: ${provider.name}` : null)
  if (id && !provider) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={8} />
  return (
    <>
      <PageHeader title={provider?.name ?? title} />
      <ProviderForm key={provider ? `${provider.id} ${provider.version}` : 'new'} provider={provider} />
    </>
  )
}
