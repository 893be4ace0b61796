import { Stack } from '@mantine/core'
import { useParams } from 'react-router'
import { getEnrolmentData } from '#domain/students/files/enrolment-endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EnrolmentDataForm } from './enrolment-data-form.tsx'

/** The applicant's own enrolment data, once the place is confirmed. */
export default function OwnEnrolmentDataPage() {
  const { id = '' } = useParams()
  const title = useScreenTitle()
  const { data, error, refetch } = useEndpoint(getEnrolmentData, { params: { id } }, { refetchOnWindowFocus: false })
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={6} height={56} />
  return (
    <Stack>
      <PageHeader title={title} description={data.data.code} />
      <EnrolmentDataForm key={data.data.version} data={data.data} />
    </Stack>
  )
}
