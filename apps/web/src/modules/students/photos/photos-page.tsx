import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listPhotos } from '#domain/students/photos/lists.ts'
import type { PhotoState } from '#domain/students/photos/photo-format.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { DownloadCard } from './download-card.tsx'

const tones: Record<PhotoState, Tone> = {
  usable: 'done',
  missing: 'stopped',
  too_small: 'attention',
  other_background: 'attention',
  unchecked: 'waiting',
}

/** Students' photos: problems, and the usable ones as a ZIP or contact sheets. */
export default function PhotosPage() {
  const { t } = useTranslation('photos')
  const title = useScreenTitle()
  const { may } = useSession()
  return (
    <>
      <PageHeader title={title} />
      <Stack>
        <DownloadCard />
        <ListCard
          list={listPhotos}
          prefix=""
          title={t('column.state')}
          rowTitle={({ name }) => name}
          href={({ id }) => (may('pendaftaran-view') ? `/pendaftaran/${id}` : undefined)}
          cells={{ state: ({ state }) => <StatusDot tone={tones[state]} label={t(`state.${state}`)} /> }}
          empty={{ title: t('empty'), text: t('emptyText') }}
        />
      </Stack>
    </>
  )
}
