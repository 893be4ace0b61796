import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttendanceList } from '#domain/testing/attendance-endpoints.ts'
import { timeOfDay, weekdayDate } from '#locales/format.ts'
import classes from '#web/offline/door/door.module.css'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ForceDialog } from './dialogs.tsx'
import type { useAttendance } from './use-attendance.ts'

type Props = { scans: AttendanceList['refused']; onForce: ReturnType<typeof useAttendance>['mark'] }

/** Cards of people without a seat in this session, scanned by any phone, until staff admit them. */
export function RefusedScans({ scans, onForce }: Props) {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  const [forced, setForced] = useState<string | null>(null)
  return (
    <Card title={t('refused')} count={scans.length}>
      <ul className={classes.people}>
        {scans.map(({ id, registrationId, name, code, outcome, elsewhere, at, deviceName }) => (
          <li key={id} className={classes.person}>
            <div className={classes.words}>
              <Text fw={600}>{name ?? t('unknownCard')}</Text>
              <Text size="sm">
                {elsewhere
                  ? t('verdict.other_session', {
                      session: elsewhere.name,
                      date: weekdayDate(elsewhere.date, language),
                      time: elsewhere.startTime.replace(':', '.'),
                    })
                  : t(`verdict.${outcome as 'no_seat'}`)}
              </Text>
              <Text size="sm" c="dimmed">
                {[code, t('arrived', { time: timeOfDay(at, language), device: deviceName })]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </div>
            {registrationId && (
              <Button size="sm" variant="default" onClick={() => setForced(registrationId)}>
                {t('force.open')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {forced && (
        <ForceDialog
          onClose={() => setForced(null)}
          onForce={(reason) => {
            void onForce(forced, 'arrive', reason)
            setForced(null)
          }}
        />
      )}
    </Card>
  )
}
