import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { createEvent } from '#domain/events/endpoints.ts'
import { listEvents } from '#domain/events/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { eventTones } from './tones.ts'

/** All events, or for an affiliate those they take part in. */
export default function EventsPage() {
  const { t } = useTranslation('events')
  const { may } = useSession()
  return (
    <DataList
      list={listEvents}
      title={useScreenTitle()}
      searchLabel={t('list.search')}
      rowTitle={({ nameId }) => nameId}
      href={({ id }) => `/event-afiliator/view/${id}`}
      cells={{ status: ({ status }) => <StatusDot tone={eventTones[status]} label={t(`status.${status}`)} /> }}
      empty={{ title: t('list.empty'), text: t('list.emptyText') }}
      actions={
        may(createEvent.access) && (
          <Button component={Link} to="/event-afiliator/create" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('list.add')}
          </Button>
        )
      }
    />
  )
}
