import { type ExportRecord, listExports } from '#domain/transfer/lists.ts'
import { shortDate, timeOfDay, wholeNumber } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { sizeOf, useTransferWords } from './words.ts'

const tones: Record<ExportRecord['status'], Tone> = {
  running: 'progress',
  done: 'done',
  stopped: 'attention',
  failed: 'stopped',
}

/** Register of exports: person, time, filter and row count. */
export default function ExportsPage() {
  const { t } = useTransferWords()
  const title = useScreenTitle()
  return (
    <DataList
      list={listExports}
      title={title}
      rowTitle={({ title }) => title}
      preview={(row) => <Details row={row} />}
      cells={{
        filterWords: ({ filterWords }) => filterWords || t('exports.all'),
        status: ({ status }) => <StatusDot tone={tones[status]} label={t(`exports.status.${status}`)} />,
        bytes: ({ bytes }) => sizeOf(bytes),
      }}
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
