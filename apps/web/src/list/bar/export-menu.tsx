import { Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { download } from '#web/api/client.ts'
import { BarButton } from './bar-button.tsx'

const formats = ['xlsx', 'csv', 'pdf'] as const
type Format = (typeof formats)[number]

type Props = {
  path: string
  /** Title of the export in the reader's language; the file is named after it. */
  title: string
  query: Record<string, unknown>
  columns: readonly string[]
}

/** `Registrations by faculty` → `registrations-by-faculty`. */
const fileNameOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Downloads the rows of the current filter as a file; the server logs the reader. */
export function ExportMenu({ path, title, query, columns }: Props) {
  const { t } = useTranslation('list')
  const fetching = useMutation({
    mutationFn: (format: Format) =>
      download(path, `${fileNameOf(title)}.${format}`, { ...query, format, columns: columns.join(',') }),
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  })
  return (
    <Menu position="bottom-end" shadow="md" withinPortal={false}>
      <Menu.Target>
        <BarButton
          loading={fetching.isPending}
          icon={<IconDownload size={16} aria-hidden="true" />}
          label={t('export')}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('exportHelp')}</Menu.Label>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => fetching.mutate(format)}>
            {t(`exportAs.${format}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => window.print()}>{t('print')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
