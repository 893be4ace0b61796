import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listRegistrations } from '#domain/admissions/endpoints.ts'
import { registrationQueues, registrationStatuses, resultFilters } from '#domain/admissions/registration-status.ts'
import type { RegistrationRow } from '#domain/admissions/schemas.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { getEntity } from '#entities/index.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/app/session.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import type { Column } from '#web/list/types.ts'
import { type Act, RegistrationsBulkDialog, useBulkActs } from './staff/bulk-dialog.tsx'
import { PublishResults } from './staff/publish-results.tsx'
import { factsOfRegistration as facts } from './staff/registration-facts.tsx'

type Fact = keyof typeof facts
type Wish = { act: Act; ids: string[]; done: () => void }

/** Order and first look of the columns behind the name. */
const columnKeys = Object.keys(facts) as Fact[]
const hiddenAtFirst: readonly Fact[] = ['phone', 'wave', 'classProgramme', 'submitted']
const sorts: { [K in Fact]?: Column<RegistrationRow>['sort'] } = { code: ['code'], created: ['oldest', 'newest'] }
const documentsStates = ['missing', 'to_review', 'rejected', 'complete'] as const
const hotkeys: { [A in Act]?: 'a' | 'r' } = { accept: 'a', reject: 'r' }

function useChoices(slug: string) {
  const { data } = useEndpoint(
    endpointsOf(getEntity(slug)).options,
    { query: { per_page: 100 } },
    { staleTime: 300_000 },
  )
  return (data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))
}

/** Registrations as staff work through them: found, filtered, selected, decided. */
export default function StaffRegistrationListPage() {
  const { t } = useTranslation('staff')
  const { may } = useSession()
  const [wish, setWish] = useState<Wish | null>(null)
  const acts = useBulkActs()
  const choices = {
    waveId: useChoices('periode'),
    trackId: useChoices('jalur'),
    programmeId: useChoices('prodi'),
    status: registrationStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
    result: resultFilters.map((value) => ({ value, label: t(`result.${value}`) })),
    documents: documentsStates.map((value) => ({ value, label: t(`documents.${value}`) })),
    queue: registrationQueues.map((value) => ({ value, label: t(`queue.${value}`) })),
  }
  return (
    <>
      <ListPage<RegistrationRow>
        name="pendaftaran"
        title={t('list.title')}
        endpoint={listRegistrations}
        endless
        defaultSort="newest"
        searchLabel={t('list.search')}
        columns={[
          { key: 'name', label: t('column.name'), cell: ({ name }) => name, sort: ['name'] },
          ...columnKeys.map(
            (key): Column<RegistrationRow> => ({
              key,
              label: t(`column.${key}`),
              cell: facts[key],
              hidden: hiddenAtFirst.includes(key),
              ...(sorts[key] && { sort: sorts[key] }),
            }),
          ),
        ]}
        filters={Object.entries(choices).map(([key, options]) => ({
          key,
          label: t(`filter.${key as keyof typeof choices}`),
          kind: 'choice',
          choices: options,
        }))}
        rowId={({ id }) => id}
        rowTitle={({ name }) => name}
        href={({ id }) => `/pendaftaran/${id}`}
        preview
        card={(row) => (
          <>
            <Text size="sm" c="dimmed">
              {[row.code, row.programme, row.track].filter(Boolean).join(' · ')}
            </Text>
            <Group gap="md">
              {facts.status(row)}
              {facts.documents(row)}
            </Group>
          </>
        )}
        actions={may('pendaftaran-publish') && <PublishResults />}
        bulk={acts.map((act) => ({
          key: act,
          label: t(`bulk.${act}`),
          danger: act === 'reject',
          ...(hotkeys[act] && { hotkey: hotkeys[act] }),
          run: (rows, done) => setWish({ act, ids: rows.map(({ id }) => id), done }),
        }))}
        empty={{ title: t('list.empty') }}
      />
      {wish && (
        <RegistrationsBulkDialog act={wish.act} ids={wish.ids} onClose={() => setWish(null)} onDone={wish.done} />
      )}
    </>
  )
}
