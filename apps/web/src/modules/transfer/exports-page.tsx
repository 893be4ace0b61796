import { type ExportRecord, listExports } from '#domain/transfer/endpoints.ts'
import { shortDate, timeOfDay, wholeNumber } from '#locales/format.ts'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StatusDot, type Tone } from '#web/ui/status-dot.tsx'
import { sizeOf, useTransferWords } from './words.ts'

const tones: Record<ExportRecord['status'], Tone> = {
  running: 'progress',
  done: 'done',
  stopped: 'attention',
  failed: 'stopped',
}
const formats = ['xlsx', 'csv', 'pdf'] as const

/** Who took which rows out, when, and with which filter. */
export default function ExportsPage() {
  const { t, language } = useTransferWords()
  const title = useScreenTitle()
  return (
    <ListPage<ExportRecord>
      name="exports"
      title={title}
      endpoint={listExports}
      defaultSort="-startedAt"
      rowId={({ id }) => id}
      rowTitle={({ title }) => title}
      exportPath="/exports/export"
      preview={(row) => <Details row={row} />}
      filters={[
        {
          key: 'format',
          label: t('exports.format'),
          kind: 'choice',
          choices: formats.map((value) => ({ value, label: value.toUpperCase() })),
        },
        {
          key: 'status',
          label: t('exports.statusLabel'),
          kind: 'choice',
          choices: (Object.keys(tones) as ExportRecord['status'][]).map((value) => ({
            value,
            label: t(`exports.status.${value}`),
          })),
        },
        { key: 'from', label: t('exports.from'), kind: 'date' },
        { key: 'to', label: t('exports.to'), kind: 'date' },
      ]}
      columns={[
        { key: 'list', label: t('exports.what'), sort: true, cell: (row) => row.title },
        { key: 'accountName', label: t('exports.who'), sort: true, cell: (row) => row.accountName },
        { key: 'filterWords', label: t('exports.filter'), cell: (row) => row.filterWords || t('exports.all') },
        { key: 'format', label: t('exports.format'), cell: (row) => row.format.toUpperCase() },
        { key: 'rows', label: t('exports.rows'), numeric: true, sort: true, cell: (row) => wholeNumber(row.rows) },
        {
          key: 'status',
          label: t('exports.statusLabel'),
          cell: (row) => <StatusDot tone={tones[row.status]} label={t(`exports.status.${row.status}`)} />,
        },
        {
          key: 'startedAt',
          label: t('exports.when'),
          sort: true,
          cell: (row) => (
            <span style={{ whiteSpace: 'nowrap' }}>
              {shortDate(row.startedAt, language)}, {timeOfDay(row.startedAt)}
            </span>
          ),
        },
        { key: 'roleName', label: t('exports.role'), hidden: true, cell: (row) => row.roleName },
        { key: 'bytes', label: t('exports.size'), hidden: true, numeric: true, cell: (row) => sizeOf(row.bytes) },
        { key: 'ip', label: t('exports.ip'), hidden: true, cell: (row) => row.ip ?? '—' },
      ]}
      empty={{ title: t('exports.empty'), text: t('exports.emptyText') }}
    />
  )
}

function Details({ row }: { row: ExportRecord }) {
  const { t, language } = useTransferWords()
  const facts: [string, string][] = [
    [t('exports.who'), `${row.accountName} (${row.roleName})`],
    [t('exports.when'), `${shortDate(row.startedAt, language)}, ${timeOfDay(row.startedAt)}`],
    [t('exports.filter'), row.filterWords || t('exports.all')],
    [t('exports.columns'), row.columns.join(', ')],
    [t('exports.rows'), wholeNumber(row.rows)],
    [t('exports.size'), sizeOf(row.bytes)],
    [t('exports.ip'), row.ip ?? '—'],
  ]
  return <Facts facts={facts} />
}
