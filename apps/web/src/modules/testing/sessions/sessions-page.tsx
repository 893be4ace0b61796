import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { listSessions } from '#domain/testing/sessions/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SessionCalendar } from './session-calendar.tsx'
import { SessionState } from './states.tsx'

/** Test sessions as a list or calendar, each with the seats taken. */
export default function SessionsPage() {
  const { t } = useTranslation('test-sessions')
  const title = useScreenTitle()
  const { may } = useSession()
  const [params] = useSearchParams()
  const isCalendar = params.get('view') === 'calendar'
  const actions = (
    <>
      <ViewLinks current={isCalendar ? 'calendar' : 'list'} />
      {may('jadwal-test-create') && (
        <Button
          component={Link}
          to="/jadwal-test/create"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          children={t('add')}
        />
      )}
    </>
  )
  if (isCalendar)
    return (
      <>
        <PageHeader title={title} actions={actions} />
        <SessionCalendar />
      </>
    )
  return (
    <DataList
      list={listSessions}
      title={title}
      rowTitle={({ name }) => name}
      href={({ id }) => (may('jadwal-test-update') ? `/jadwal-test/${id}` : undefined)}
      cells={{ state: ({ state }) => <SessionState state={state} /> }}
      dimmed={({ state }) => state === 'cancelled' || state === 'inactive'}
      preview
      actions={actions}
      empty={{ title: t('empty'), text: t('emptyText') }}
    />
  )
}

const views = { list: '/jadwal-test', calendar: '/jadwal-test?view=calendar' } as const

function ViewLinks({ current }: { current: keyof typeof views }) {
  const { t } = useTranslation('test-sessions')
  return (
    <Group component="nav" gap={4} aria-label={t('views.label')}>
      {(['list', 'calendar'] as const).map((view) => (
        <Button
          key={view}
          component={Link}
          to={views[view]}
          variant={current === view ? 'light' : 'subtle'}
          aria-current={current === view ? 'page' : undefined}
          children={t(`views.${view}`)}
        />
      ))}
    </Group>
  )
}
