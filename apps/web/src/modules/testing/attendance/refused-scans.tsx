import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttendanceList, ScanResult } from '#domain/testing/attendance-endpoints.ts'
import { timeOfDay, weekdayDate } from '#locales/format.ts'
import { PersonRow, PersonRows } from '#web/modules/door/people-list.tsx'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ForceDialog } from './dialogs.tsx'
import type { useAttendance } from './use-attendance.ts'

type Props = { scans: AttendanceList['refused']; onForce: ReturnType<typeof useAttendance>['mark'] }

/** Says why a card does not count in this session. */
export function useRefusal() {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  return ({ outcome, elsewhere }: Pick<ScanResult, 'outcome' | 'elsewhere'>) =>
    elsewhere
      ? t('verdict.other_session', {
          session: elsewhere.name,
          date: weekdayDate(elsewhere.date, language),
          time: elsewhere.startTime.replace(':', '.'),
        })
      : t(`verdict.${outcome as 'no_seat'}`)
}

/** Cards of people without a seat in this session, scanned by any phone, until staff admit them. */
export function RefusedScans({ scans, onForce }: Props) {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  const saysRefusal = useRefusal()
  const [forced, setForced] = useState<string | null>(null)
  return (
    <Card title={t('refused')} count={scans.length}>
      <PersonRows>
        {scans.map(({ at, deviceName, ...scan }) => (
          <PersonRow
            key={scan.id}
            name={scan.name ?? t('unknownCard')}
            facts={[scan.code, t('arrived', { time: timeOfDay(at, language), device: deviceName })]}
            status={<Text size="sm">{saysRefusal(scan)}</Text>}
          >
            {scan.registrationId && (
              <Button size="sm" variant="default" onClick={() => setForced(scan.registrationId)}>
                {t('force.open')}
              </Button>
            )}
          </PersonRow>
        ))}
      </PersonRows>
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
