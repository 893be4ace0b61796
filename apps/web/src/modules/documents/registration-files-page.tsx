import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { useSession } from '../../app/session.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ApplicantProfile } from '../applicants/applicant-profile.tsx'
import { DocumentReview } from './document-review.tsx'
import { DocumentSlots } from './document-slots.tsx'
import { useDocuments } from './use-documents.ts'

/** `/master/prodi/:id/file/:idDetail`: documents of registration `idDetail`, reached from its study programme `id`. */
export default function RegistrationFilesPage() {
  const { idDetail = '' } = useParams()
  const { t } = useTranslation('documents')
  const { may } = useSession()
  const code = useDocuments(idDetail).data?.meta.code
  return (
    <>
      <PageHeader
        title={t('pageTitle')}
        description={
          <>
            {code && `${code} · `}
            <Anchor component={Link} to={`/pendaftaran/${idDetail}`}>
              {t('back')}
            </Anchor>
          </>
        }
      />
      {may('pendaftaran-verify') ? (
        <DocumentReview
          registrationId={idDetail}
          beside={may('pendaftaran-profile-view') && <ApplicantProfile registrationId={idDetail} />}
        />
      ) : (
        <DocumentSlots registrationId={idDetail} />
      )}
    </>
  )
}
