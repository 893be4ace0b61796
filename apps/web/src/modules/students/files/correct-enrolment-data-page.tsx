import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { readEnrolmentData } from '#domain/students/files/enrolment-endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { EnrolmentDataForm } from '#web/modules/enrolment/enrolment-data-form.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** A student's enrolment data, corrected by staff with a reason. */
export default function CorrectEnrolmentDataPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('enrolment-data')
  const { data, error, refetch } = useEndpoint(readEnrolmentData, { params: { id } }, { refetchOnWindowFocus: false })
  usePageTitle(data?.data.name)
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={6} height={56} />
  return (
    <Stack>
      <PageHeader
        title={data.data.name}
        description={`${t('title')} · ${data.data.code}`}
        actions={
          <Button component={Link} to={`/berkas-mahasiswa/${id}`} variant="default">
            {t('files')}
          </Button>
        }
      />
      <EnrolmentDataForm key={data.data.version} data={data.data} correcting />
    </Stack>
  )
}
