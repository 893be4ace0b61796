import { Anchor, Button, Text } from '@mantine/core'
import { IconSwitchHorizontal } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listProgrammeChanges, type ProgrammeChangeRow } from '#domain/admissions/lists.ts'
import { rupiah } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { Difference } from './comparison.tsx'

/** All changes of study programme with reason and effect on the money. */
export default function ProgrammeChangesPage() {
  const { t } = useTranslation(['programme-change', 'staff'])
  const { may } = useSession()
  const placeLabel = (programme: string | null, ownClass: string, otherClass: string) =>
    `${programme ?? t('outOfSight')}${ownClass === otherClass ? '' : ` · ${ownClass}`}`
  const from = (row: ProgrammeChangeRow) => placeLabel(row.from, row.fromClass, row.toClass)
  const to = (row: ProgrammeChangeRow) => placeLabel(row.to, row.toClass, row.fromClass)
  return (
    <DataList
      list={listProgrammeChanges}
      title={useScreenTitle()}
      searchLabel={t('search')}
      actions={
        <>
          <Button component={Link} to="/pindah-prodi/requests" variant="default">
            {t('request.title')}
          </Button>
          {may('pindah-prodi-update') && (
            <Button
              component={Link}
              to="/pindah-prodi/create"
              leftSection={<IconSwitchHorizontal size={18} aria-hidden="true" />}
            >
              {t('change')}
            </Button>
          )}
        </>
      }
      cells={{ from, to, difference: (row) => <Difference amount={row.difference} /> }}
      rowTitle={({ applicantName, registrationCode }) => `${applicantName} · ${registrationCode}`}
      href={({ registrationId }) => (may('pendaftaran-view') ? `/pendaftaran/${registrationId}` : undefined)}
      preview={(row) => (
        <Facts
          facts={[
            [
              t('column.registrationCode'),
              <Anchor key="r" component={Link} to={`/pendaftaran/${row.registrationId}`}>
                {row.registrationCode}
              </Anchor>,
            ],
            [t('column.from'), from(row)],
            [t('column.to'), to(row)],
            [t('column.status'), t(`staff:status.${row.status}`)],
            [t('column.totalBefore'), rupiah(row.totalBefore)],
            [t('column.totalAfter'), rupiah(row.totalAfter)],
            [t('column.difference'), <Difference key="d" amount={row.difference} />],
            [t('column.moved'), row.moved > 0 && rupiah(row.moved)],
            [t('column.waiting'), row.waiting > 0 && rupiah(row.waiting)],
            [t('column.billNumber'), row.billNumber],
            [
              t('column.reason'),
              <Text key="reason" span style={{ overflowWrap: 'anywhere' }}>
                {row.reason}
              </Text>,
            ],
            [t('column.changedBy'), row.changedBy],
            [t('column.changedAt'), <DateText key="at" value={row.changedAt} as="datetime" />],
          ]}
        />
      )}
      empty={{ title: t('empty'), text: t('emptyText') }}
    />
  )
}
