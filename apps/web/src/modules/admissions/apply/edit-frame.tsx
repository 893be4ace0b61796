import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams } from 'react-router'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { useRegistration } from '#web/modules/admissions/registration/use-registration.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { belongsTo, editPath } from './edit-paths.ts'

type Props = { part: 'program' | 'file'; children: (registration: RegistrationDetail) => ReactNode }

/**
 * `/master/prodi/:id/…/:idDetail`: one part of registration `idDetail`, reached through its study programme `id`, for
 * applicant and staff. Redirects to the right address if the registration no longer has that programme.
 */
export function EditFrame({ part, children }: Props) {
  const { id = '', idDetail = '' } = useParams()
  const { t } = useTranslation('registration')
  const title = useScreenTitle()
  const { data, isPending, error, refetch } = useRegistration(idDetail)
  const registration = data?.data
  const code = registration && t('detail.code', { code: registration.code })
  const parents = useMemo(() => (code ? [{ title: code, path: `/pendaftaran/${idDetail}` }] : []), [code, idDetail])
  usePageTitle(title, parents)
  if (isPending) return <PageSkeleton />
  if (!registration) return <RecordFailed error={error} onRetry={refetch} />
  if (!belongsTo(registration, id)) return <Navigate to={editPath(registration, part)} replace />
  const programme = [registration.acceptedProgramme, ...registration.choices].find((choice) => choice?.id === id)
  return (
    <>
      <PageHeader
        title={title}
        description={`${registration.code} · ${registration.applicant.name} · ${programme?.name}`}
      />
      {children(registration)}
    </>
  )
}
