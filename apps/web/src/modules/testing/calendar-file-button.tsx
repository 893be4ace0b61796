import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadSeatCalendar } from '#domain/testing/endpoints.ts'
import { download } from '#web/api/client.ts'

/** Downloads the booked seat for the calendar of the phone. */
export function CalendarFileButton({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('testing')
  const [busy, setBusy] = useState(false)
  const downloadFile = async () => {
    setBusy(true)
    try {
      await download(downloadSeatCalendar.path.replace(':id', registrationId), 'test.ics')
    } catch (error) {
      notifications.show({ color: 'red', message: (error as Error).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconCalendarPlus size={20} aria-hidden="true" />}
      onClick={downloadFile}
      loading={busy}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('toCalendar')}
    </Button>
  )
}
