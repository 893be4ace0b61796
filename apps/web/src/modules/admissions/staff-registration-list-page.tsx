import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RegistrationRow } from '#domain/admissions/lists.ts'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session.tsx'
import { type Act, RegistrationsBulkDialog, useBulkActs } from './staff/bulk-dialog.tsx'
import { PublishResults } from './staff/publish-results.tsx'
import { cellsOfRegistration } from './staff/registration-cells.tsx'

type Wish = { act: Act; ids: string[]; done: () => void }

const hotkeys: { [A in Act]?: 'a' | 'r' } = { accept: 'a', reject: 'r' }

/** Registrations as staff work through them: found, filtered, selected, decided. */
export default function StaffRegistrationListPage() {
  const { t } = useTranslation('staff')
  const { may } = useSession()
  const [wish, setWish] = useState<Wish | null>(null)
  const acts = useBulkActs()
  return (
    <>
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
        actions={may('pendaftaran-publish') && <PublishResults />}
        bulk={acts.map((act) => ({
          key: act,
          label: t(`bulk.${act}`),
          danger: act === 'reject',
          ...(hotkeys[act] && { hotkey: hotkeys[act] }),
          run: (rows: RegistrationRow[], done: () => void) => setWish({ act, ids: rows.map(({ id }) => id), done }),
        }))}
        empty={{ title: t('list.empty') }}
      />
      {wish && (
        <RegistrationsBulkDialog act={wish.act} ids={wish.ids} onClose={() => setWish(null)} onDone={wish.done} />
      )}
    </>
  )
}
