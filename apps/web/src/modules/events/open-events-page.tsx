import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { listOpenEvents } from '#domain/events/public-endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { rememberArrival } from '#web/modules/accounts/arrival.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './events.module.css'
import { sessionTime } from './session-text.ts'

/** Upcoming public events. */
export default function OpenEventsPage() {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  const { search } = useLocation()
  useState(() => rememberArrival(search))
  const { data, error, refetch } = useEndpoint(listOpenEvents)
  const events = data?.data
  return (
    <Stack maw={1080} mx="auto">
      <PageHeader title={useScreenTitle()} description={t('public.text')} />
      {!events ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={3} height={96} />
      ) : events.length === 0 ? (
        <Card>
          <EmptyState title={t('public.empty')}>
            <Text>{t('public.emptyText')}</Text>
          </EmptyState>
        </Card>
      ) : (
        <ul className={classes.list}>
          {events.map(({ slug, name, kind, sessions, place }) => (
            <li key={slug}>
              <Card>
                <Stack gap={4}>
                  <Anchor component={Link} to={`/acara/${slug}`} fw={600}>
                    {name[language]}
                  </Anchor>
                  <Text size="sm">{sessions[0] && sessionTime(sessions[0], language)}</Text>
                  <Text size="sm" c="dimmed">
                    {[t(`kind.${kind}`), place ?? t('public.online')].join(' · ')}
                  </Text>
                </Stack>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}
