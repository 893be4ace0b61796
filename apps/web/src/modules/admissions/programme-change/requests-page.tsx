import { useTranslation } from 'react-i18next'
import { listProgrammeRequests, type ProgrammeRequestRow } from '#domain/admissions/lists.ts'
import { changeProgramme } from '#domain/admissions/programme-change-endpoints.ts'
import { refuseProgrammeRequest } from '#domain/admissions/programme-request-endpoints.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Difference } from './comparison.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'

/** Applicants' requests; granting one opens the comparison with the wish filled in. */
export default function ProgrammeRequestsPage() {
  const { t } = useTranslation('programme-change')
  const { may } = useSession()
  const isPending = ({ status }: ProgrammeRequestRow) => status === 'pending'
  const actions: RowAction<ProgrammeRequestRow>[] = [
    {
      key: 'decide',
      label: t('request.decide'),
      right: changeProgramme.access,
      main: true,
      suits: isPending,
      href: ({ registrationId, programmeId, classProgrammeId }) =>
        `/pindah-prodi/create?registrationId=${registrationId}&to=${programmeId}.${classProgrammeId}`,
    },
    {
      key: 'refuse',
      label: t('request.refuse'),
      right: refuseProgrammeRequest.access,
      danger: true,
      suits: isPending,
      dialog: ([row], ends) => row && <RefuseDialog request={row} {...ends} />,
    },
  ]
  return (
    <DataList
      list={listProgrammeRequests}
      title={useScreenTitle()}
      searchLabel={t('search')}
      cells={{ difference: (row) => <Difference amount={row.difference} /> }}
      rowTitle={({ applicantName, registrationCode }) => `${applicantName} · ${registrationCode}`}
      href={({ registrationId }) => (may('pendaftaran-view') ? `/pendaftaran/${registrationId}` : undefined)}
      rowActions={actions}
      preview
      empty={{ title: t('request.empty'), text: t('request.emptyText') }}
    />
  )
}
