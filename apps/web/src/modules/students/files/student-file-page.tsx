import { Button, Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { getStudentFiles, zipStudentFiles } from '#domain/students/files/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { DocumentReview } from '#web/modules/documents/review/document-review.tsx'
import { EvidenceButton } from '#web/modules/evidence/evidence-button.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PapersCard } from './papers-card.tsx'
import { ZipButton } from './zip-button.tsx'

/** All documents of one person: review with viewer, and paper copies received. */
export default function StudentFilePage() {
  const { id = '' } = useParams()
  const [address] = useSearchParams()
  const { t } = useTranslation('student-files')
  const { may } = useSession()
  const { data, error, refetch } = useEndpoint(getStudentFiles, { params: { id } })
  usePageTitle(data?.data.name)
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={4} height={96} />
  const { name, code, npm, programme, track, wave, nextWaiting, receipts } = data.data
  return (
    <Stack>
      <PageHeader
        title={name}
        description={[npm ?? code, programme, track, wave].filter(Boolean).join(' · ')}
        actions={
          <Group gap="sm">
            {nextWaiting && (
              <Button component={Link} to={`/berkas-mahasiswa/${nextWaiting}`}>
                {t('next')}
              </Button>
            )}
            <Button component={Link} to={`/berkas-mahasiswa/${id}/data`} variant="default">
              {t('data')}
            </Button>
            {may('pendaftaran-view') && (
              <Button component={Link} to={`/pendaftaran/${id}`} variant="default">
                {t('registration')}
              </Button>
            )}
            <EvidenceButton registration={{ id, code }} />
            <ZipButton path={pathOf(zipStudentFiles.path, { id })} name={code} label={t('zip.ofPerson')} />
          </Group>
        }
      />
      <DocumentReview
        key={id}
        registrationId={id}
        firstId={address.get('document')}
        beside={<PapersCard registrationId={id} receipts={receipts} name={name} />}
      />
    </Stack>
  )
}
