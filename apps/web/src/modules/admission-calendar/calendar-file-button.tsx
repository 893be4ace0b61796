import { Button } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { downloadCalendar } from '#domain/admission-calendar/endpoints.ts'
import { useDownload } from '#web/api/use-download.ts'

/** Downloads the reader's coming tests, deadlines and instalments for the phone's calendar. */
export function CalendarFileButton() {
  const { t } = useTranslation('admission-calendar')
  const file = useDownload()
  return (
    <Button
      variant="default"
      mih={44}
      h="auto"
      styles={{ label: { whiteSpace: 'normal' } }}
      leftSection={<IconCalendarPlus size={20} aria-hidden="true" />}
      onClick={() => file.start(downloadCalendar.path, 'pmb.ics')}
      loading={file.busy}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('toCalendar')}
    </Button>
  )
}
