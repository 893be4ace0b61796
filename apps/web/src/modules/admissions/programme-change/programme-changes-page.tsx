import { Anchor, Button, Text } from '@mantine/core'
import { IconSwitchHorizontal } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  changeDirections,
  listProgrammeChanges,
  type ProgrammeChangeRow,
} from '#domain/admissions/programme-change-endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { useOptionTitle } from '#web/list/row-choice.tsx'
import type { Filter } from '#web/list/types.ts'
import { ReferenceSelect } from '#web/resource/reference-select.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Money } from '#web/ui/money.tsx'
import { Difference } from './comparison.tsx'

const Named = ({ to, id }: { to: 'prodi' | 'periode'; id: string }) => useOptionTitle(to, id) ?? '…'

const referenceFilter = (key: string, to: 'prodi' | 'periode', label: string): Filter => ({
  key,
  label,
  kind: 'custom',
  control: (value, onChange) => (
    <ReferenceSelect
      to={to}
      label={label}
      size="sm"
      value={value}
      onChange={onChange}
      clearable
      comboboxProps={{ withinPortal: false }}
    />
  ),
  chip: (value) => <Named to={to} id={value} />,
})

/** Every change of study programme with its reason and what it did to the money. */
export default function ProgrammeChangesPage() {
  const { t } = useTranslation(['programme-change', 'staff'])
  const { may } = useSession()
  const place = (programme: string | null, own: string, other: string) =>
    `${programme ?? t('outOfSight')}${own === other ? '' : ` · ${own}`}`
  const from = (row: ProgrammeChangeRow) => place(row.from, row.fromClass, row.toClass)
  const to = (row: ProgrammeChangeRow) => place(row.to, row.toClass, row.fromClass)
  return (
    <ListPage<ProgrammeChangeRow>
      name="programme-changes"
      title={useScreenTitle()}
      endpoint={listProgrammeChanges}
      defaultSort="-changedAt"
      searchLabel={t('search')}
      actions={
        may('pindah-prodi-update') && (
          <Button
            component={Link}
            to="/pindah-prodi/create"
            leftSection={<IconSwitchHorizontal size={18} aria-hidden="true" />}
          >
            {t('change')}
          </Button>
        )
      }
      columns={[
        { key: 'applicantName', label: t('column.applicantName'), cell: (row) => row.applicantName },
        { key: 'from', label: t('column.from'), cell: from },
        { key: 'to', label: t('column.to'), cell: to },
        {
          key: 'difference',
          label: t('column.difference'),
          cell: (row) => <Difference amount={row.difference} />,
          numeric: true,
          sort: true,
        },
        {
          key: 'changedAt',
          label: t('column.changedAt'),
          cell: (row) => <DateText value={row.changedAt} as="short" />,
          sort: true,
        },
        { key: 'changedBy', label: t('column.changedBy'), cell: (row) => row.changedBy },
        {
          key: 'registrationCode',
          label: t('column.registrationCode'),
          cell: (row) => row.registrationCode,
          hidden: true,
        },
        {
          key: 'totalBefore',
          label: t('column.totalBefore'),
          cell: (row) => <Money amount={row.totalBefore} />,
          numeric: true,
          hidden: true,
        },
        {
          key: 'totalAfter',
          label: t('column.totalAfter'),
          cell: (row) => <Money amount={row.totalAfter} />,
          numeric: true,
          hidden: true,
        },
        {
          key: 'waiting',
          label: t('column.waiting'),
          cell: (row) => <Money amount={row.waiting} />,
          numeric: true,
          hidden: true,
        },
        { key: 'reason', label: t('column.reason'), cell: (row) => row.reason, hidden: true },
      ]}
      filters={[
        {
          key: 'direction',
          label: t('filter.direction'),
          kind: 'choice',
          choices: changeDirections.map((value) => ({ value, label: t(`direction.${value}`) })),
        },
        referenceFilter('programmeId', 'prodi', t('filter.programmeId')),
        referenceFilter('waveId', 'periode', t('filter.waveId')),
        { key: 'from', label: t('filter.from'), kind: 'date' },
        { key: 'to', label: t('filter.to'), kind: 'date' },
      ]}
      exportPath="/pindah-prodi/export"
      rowId={({ id }) => id}
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
