import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { createSelectionRun } from '#domain/selection/endpoints.ts'
import { listQuotas, listSelectionRuns } from '#domain/selection/lists.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { statusTones } from './tones.ts'

/** Simulated and adopted selections, and the board of places. */
export default function SelectionPage() {
  const { t } = useTranslation('selection')
  const title = useScreenTitle()
  const { may, mayCall } = useSession()
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            {may('pendaftaran-view') && (
              <Button component={Link} to="/pendaftaran" variant="default">
                {t('quotas.registrations')}
              </Button>
            )}
            {mayCall(createSelectionRun) && (
              <Button component={Link} to="/seleksi/create">
                {t('runs.new')}
              </Button>
            )}
          </>
        }
      />
      <Stack>
        <ListCard
          list={listSelectionRuns}
          prefix="s."
          title={t('runs.title')}
          rowTitle={({ name }) => name}
          href={({ id }) => `/seleksi/${id}`}
          cells={{ status: ({ status }) => <StatusDot tone={statusTones[status]} label={t(`status.${status}`)} /> }}
          empty={{ title: t('runs.empty'), text: t('runs.emptyText') }}
        />
        <ListCard
          list={listQuotas}
          prefix="q."
          title={t('quotas.title')}
          actions={
            <Button component={Link} to="/seleksi/kuota" variant="default" size="sm">
              {t('wave.open')}
            </Button>
          }
          rowTitle={({ programme, track }) => (track ? `${programme} · ${track}` : programme)}
          href={({ programmeDetailId }) => `/seleksi/kuota/${programmeDetailId}`}
          empty={{ title: t('quotas.empty'), text: t('quotas.emptyText') }}
        />
      </Stack>
    </>
  )
}
