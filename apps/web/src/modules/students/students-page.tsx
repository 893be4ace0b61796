import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { issueNumbers, printCards } from '#domain/students/endpoints.ts'
import { listStudents, type StudentRow } from '#domain/students/lists.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { RegistrationsBulkDialog } from '#web/modules/admissions/staff/bulk-dialog.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { NumberTabs } from './number-tabs.tsx'
import { PrintCardsDialog } from './print-cards-dialog.tsx'

const registrationsOf = (rows: readonly StudentRow[]) => rows.map(({ registrationId: id }) => ({ id }))

/** Confirmed applicants and students: numbers are issued and cards printed here. */
export default function StudentsPage() {
  const { t } = useTranslation(['students', 'campus'])
  const { may } = useSession()
  const actions: RowAction<StudentRow>[] = [
    {
      key: 'number',
      label: t('act.issue'),
      right: issueNumbers.access,
      main: true,
      many: true,
      suits: ({ status }) => status === 'confirmed',
      dialog: (rows, ends) => (
        <RegistrationsBulkDialog act="number" label={t('act.issue')} rows={registrationsOf(rows)} {...ends} />
      ),
    },
    {
      key: 'print',
      label: t('act.print'),
      right: printCards.access,
      many: true,
      suits: ({ status }) => status === 'enrolled',
      dialog: (rows, ends) => <PrintCardsDialog rows={registrationsOf(rows)} {...ends} />,
    },
  ]
  return (
    <DataList
      list={listStudents}
      rowId={({ registrationId }) => registrationId}
      title={useScreenTitle()}
      searchLabel={t('search')}
      lead={
        <>
          <NumberTabs tab="numbers" />
          {may(issueNumbers.access) && (
            <Text size="sm" c="dimmed" mb="md">
              {t('hint')}
            </Text>
          )}
        </>
      }
      rowTitle={({ name, npm }) => (npm ? `${name} · ${npm}` : name)}
      href={({ registrationId }) => (may(issueNumbers.access) ? `/npm-mahasiswa/${registrationId}` : undefined)}
      rowActions={actions}
      actions={
        <Button component={Link} to="/npm-mahasiswa/campus" variant="default">
          {t('campus:csv.open')}
        </Button>
      }
      preview
      empty={{ title: t('empty'), text: t('emptyText') }}
    />
  )
}
