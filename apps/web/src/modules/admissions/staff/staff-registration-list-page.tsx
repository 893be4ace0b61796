import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { PublishResults } from './publish-results.tsx'
import { useRegistrationActions } from './registration-actions.tsx'
import { cellsOfRegistration } from './registration-cells.tsx'

/** Registrations for staff: search, filters, selection and actions. */
export default function StaffRegistrationListPage() {
  const { t } = useTranslation(['staff', 'send', 'counter'])
  const { search } = useLocation()
  const { may } = useSession()
  return (
    <DataList
      list={listRegistrations}
      title={t('list.title')}
      endless
      searchLabel={t('list.search')}
      cells={cellsOfRegistration}
      rowTitle={({ name }) => name}
      href={({ id }) => `/pendaftaran/${id}`}
      preview
      card={(row) => (
        <>
          <Text size="sm" c="dimmed">
            {[row.code, row.programme, row.track].filter(Boolean).join(' · ')}
          </Text>
          <Group gap="md">
            {cellsOfRegistration.status(row)}
            {cellsOfRegistration.documentsState(row)}
          </Group>
        </>
      )}
      actions={
        <>
          {may('pendaftaran-counter') && (
            <Button component={Link} to="/pendaftaran/create" variant="default" size="sm">
              {t('counter:title')}
            </Button>
          )}
          {may('kirim-informasi-view') && (
            <Button component={Link} to={`/kirim-informasi/pendaftaran/create${search}`} variant="default" size="sm">
              {t('send:fromList')}
            </Button>
          )}
          {may('seleksi-view') && (
            <Button component={Link} to="/seleksi" variant="default" size="sm">
              {t('list.selection')}
            </Button>
          )}
          {may('pendaftaran-publish') && <PublishResults />}
        </>
      }
      rowActions={useRegistrationActions()}
      empty={{ title: t('list.empty') }}
    />
  )
}
