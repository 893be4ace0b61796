import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { downloadFeederSheet } from '#domain/students/feeder/endpoints.ts'
import { download } from '#web/api/client.ts'

const sheets = [
  { word: 'sheet.readyXlsx', format: 'xlsx', ready: 'true' },
  { word: 'sheet.readyCsv', format: 'csv', ready: 'true' },
  { word: 'sheet.xlsx', format: 'xlsx', ready: 'false' },
  { word: 'sheet.csv', format: 'csv', ready: 'false' },
] as const

/** Downloads students in the ministry's columns; the server logs the reader. */
export function SheetMenu() {
  const { t } = useTranslation('feeder')
  const fetching = useMutation({
    mutationFn: ({ format, ready }: (typeof sheets)[number]) =>
      download(downloadFeederSheet.path, `mahasiswa-feeder.${format}`, { format, ready }),
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  })
  return (
    <Menu position="bottom-end" shadow="md" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" loading={fetching.isPending} leftSection={<IconDownload size={18} aria-hidden />}>
          {t('sheet.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sheets.map((sheet) => (
          <Menu.Item key={sheet.word} onClick={() => fetching.mutate(sheet)}>
            {t(sheet.word)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
