import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { approveFiles, listFileKinds, zipFilteredFiles } from '#domain/students/files/endpoints.ts'
import { listStudentFiles } from '#domain/students/files/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useTotal } from '#web/list/use-total.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { ApproveDialog, type FileRow } from './approve-dialog.tsx'
import { ZipButton } from './zip-button.tsx'

/** Search and filters in the address, as the list reads them. */
function useFilterOfAddress() {
  const [address] = useSearchParams()
  return Object.fromEntries(['q', ...Object.keys(listStudentFiles.filters)].map((key) => [key, address.get(key)]))
}

/** Students' documents to review; for reviewers of registrations also applicants'. Longest waiting first. */
export default function StudentFilesPage() {
  const { t } = useTranslation('student-files')
  const { may } = useSession()
  const mayUpdate = may('berkas-mahasiswa-update')
  const { data: kinds } = useEndpoint(listFileKinds, {})
  const filter = useFilterOfAddress()
  const count = useTotal(listStudentFiles, filter)
  const hrefOf = ({ id, registrationId, isConfirmed }: FileRow) =>
    isConfirmed
      ? `/berkas-mahasiswa/${registrationId}?document=${id}`
      : `/pendaftaran/${registrationId}/file?document=${id}`
  const actions: RowAction<FileRow>[] = [
    {
      key: 'review',
      label: t('openReview'),
      right: 'berkas-mahasiswa-update',
      main: true,
      href: hrefOf,
    },
    {
      key: 'approve',
      label: t('approve'),
      right: approveFiles.access,
      many: true,
      hotkey: 'a',
      suits: ({ state }) => state === 'uploaded',
      dialog: (rows, ends) => <ApproveDialog rows={rows} {...ends} />,
    },
  ]
  return (
    <DataList
      list={listStudentFiles}
      title={useScreenTitle()}
      searchLabel={t('search')}
      rowTitle={({ name, requirement }) => `${name} · ${requirement}`}
      href={(row) => (mayUpdate ? hrefOf(row) : undefined)}
      controls={{
        requirement: {
          kind: 'choice',
          choices: (kinds?.data ?? []).map((name) => ({ value: name, label: name })),
        },
      }}
      actions={
        mayUpdate && (
          <ZipButton
            path={zipFilteredFiles.path}
            name="berkas-mahasiswa"
            query={filter}
            label={t('zip.ofFilter')}
            count={count}
          />
        )
      }
      rowActions={actions}
      preview
      empty={{ title: t('empty'), text: t('emptyText') }}
    />
  )
}
