import { Button } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listJackets } from '#domain/students/jackets/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { jacketTones } from './jacket-tones.ts'

/** Students with the jacket they wait for or hold. */
export default function JacketsPage() {
  const { t } = useTranslation('jackets')
  const title = useScreenTitle()
  const { may } = useSession()
  return (
    <DataList
      list={listJackets}
      title={title}
      rowTitle={({ name }) => name}
      href={({ id }) => (may('jaket-mahasiswa-update') ? `/jaket-mahasiswa/${id}` : undefined)}
      cells={{ state: ({ state }) => <StatusDot tone={jacketTones[state]} label={t(`state.${state}`)} /> }}
      preview
      actions={
        <>
          <Button component={Link} to="/jaket-mahasiswa/stok" variant="default" children={t('open.stock')} />
          {may('jaket-mahasiswa-create') && (
            <Button
              component={Link}
              to="/jaket-mahasiswa/create"
              leftSection={<IconScan size={18} aria-hidden="true" />}
              children={t('open.handOut')}
            />
          )}
        </>
      }
      empty={{ title: t('empty'), text: t('emptyText') }}
    />
  )
}
