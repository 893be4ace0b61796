import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readTimeline } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import classes from './registration-overview.module.css'

const previewCount = 6

/** Events of a registration with their actor and time, newest first. */
export function Timeline({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation(['registration', 'admissions'])
  const { data, error, refetch } = useEndpoint(readTimeline, { params: { id: registrationId } })
  const [showsAll, setShowsAll] = useState(false)
  const entries = data?.data ?? []
  return (
    <Card title={t('detail.timeline')}>
      {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={4} />}
      {data && entries.length === 0 && t('detail.timelineEmpty')}
      <ol className={classes.timeline}>
        {(showsAll ? entries : entries.slice(0, previewCount)).map((entry) => (
          <li key={entry.id} className={classes.entry} data-actor={entry.actor}>
            <div>
              {t([`admissions:timeline.${entry.name.replaceAll('.', '-')}`, `admissions:timeline.${entry.kind}`], {
                title: entry.title ?? '',
              })}
            </div>
            <div className={quiet.text}>
              <DateText value={entry.at} as="datetime" /> · {t(`admissions:timelineActor.${entry.actor}`)}
            </div>
            {entry.reason && <div>{t('detail.reason', { reason: entry.reason })}</div>}
          </li>
        ))}
      </ol>
      {!showsAll && entries.length > previewCount && (
        <Button variant="default" mt="md" onClick={() => setShowsAll(true)}>
          {t('detail.more')}
        </Button>
      )}
    </Card>
  )
}
