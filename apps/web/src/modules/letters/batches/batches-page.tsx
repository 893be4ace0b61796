import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listLetterBatches, startLetterBatch } from '#domain/letters/batch-endpoints.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { batchTones } from './tones.ts'

/** Batches of letters, newest first. */
export default function BatchesPage() {
  const { t } = useTranslation('letters')
  const { may } = useSession()
  return (
    <DataList
      list={listLetterBatches}
      title={useScreenTitle()}
      searchLabel={t('batch.search')}
      rowTitle={({ kind }) => kind}
      href={({ id }) => `/surat/massal/${id}`}
      cells={{ status: ({ status }) => <StatusDot tone={batchTones[status]} label={t(`batchStatus.${status}`)} /> }}
      actions={
        may(startLetterBatch.access) && (
          <Button component={Link} to="/surat/massal/create">
            {t('batch.add')}
          </Button>
        )
      }
      empty={{ title: t('batch.empty'), text: t('batch.emptyText') }}
    />
  )
}
