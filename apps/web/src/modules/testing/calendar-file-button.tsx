import { Button } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { downloadSeatCalendar } from '#domain/testing/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { useDownload } from '#web/api/use-download.ts'

/** Downloads the booked seat for the phone's calendar. */
export function CalendarFileButton({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('testing')
  const calendarFile = useDownload()
  return (
    <Button
      variant="default"
      leftSection={<IconCalendarPlus size={20} aria-hidden="true" />}
      onClick={() => calendarFile.start(pathOf(downloadSeatCalendar.path, { id: registrationId }), 'test.ics')}
      loading={calendarFile.busy}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('toCalendar')}
    </Button>
  )
}
