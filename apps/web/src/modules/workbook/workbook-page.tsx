import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import { downloadWorkbook, type readWorkbookImport, uploadWorkbook } from '#domain/workbook/endpoints.ts'
import { listWorkbookImports } from '#domain/workbook/lists.ts'
import { download } from '#web/api/client.ts'
import { upload } from '#web/api/upload.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { toneOf } from './words.ts'

const acceptedTypes = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']
const maxBytes = 30_000_000
const contents = ['empty', 'data'] as const

/** Downloads the workbook, empty or with current data, and sends a filled one to be checked. */
export default function WorkbookPage() {
  const { t } = useTranslation('workbook')
  const title = useScreenTitle()
  const { may } = useSession()
  const navigate = useNavigate()
  const fetching = useMutation({
    mutationFn: (content: (typeof contents)[number]) =>
      download(downloadWorkbook.path, `${t(`fileName.${content}`)}.xlsx`, { content }),
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  })
  const onSend = async (file: File, onProgress: (share: number) => void, signal: AbortSignal) => {
    const form = new FormData()
    form.append('file', file)
    const { data } = await upload<Answer<typeof readWorkbookImport>>(uploadWorkbook.path, form, onProgress, { signal })
    navigate(`/settings/opening/workbook/${data.id}`)
  }
  return (
    <>
      <PageHeader title={title} description={t('text')} />
      <Stack>
        <Card title={t('get.title')}>
          <Stack gap="sm">
            <Text>{t('get.text')}</Text>
            <Group gap="sm">
              {contents.map((content) => (
                <Button
                  key={content}
                  variant={content === 'empty' ? 'filled' : 'default'}
                  leftSection={<IconDownload size={18} aria-hidden="true" />}
                  loading={fetching.isPending && fetching.variables === content}
                  onClick={() => fetching.mutate(content)}
                >
                  {t(`get.${content}`)}
                </Button>
              ))}
            </Group>
            <Text size="sm" c="dimmed">
              {t('get.dataText')}
            </Text>
            <Text size="sm" c="dimmed">
              {t('get.example')}
            </Text>
          </Stack>
        </Card>
        <Card title={t('send.title')}>
          <Stack gap="sm">
            <Text>{t('send.text')}</Text>
            {may('settings-opening-update') ? (
              <FileDrop
                label={t('send.file')}
                accept={acceptedTypes}
                maxBytes={maxBytes}
                shrink={false}
                hint={t('send.hint')}
                onSend={onSend}
              />
            ) : (
              <Alert color="gray" variant="light">
                {t('send.refused')}
              </Alert>
            )}
          </Stack>
        </Card>
        <ListCard
          list={listWorkbookImports}
          prefix="w."
          title={t('list.title')}
          rowTitle={({ fileName }) => fileName}
          href={({ id }) => `/settings/opening/workbook/${id}`}
          cells={{ status: ({ status }) => <StatusDot tone={toneOf[status]} label={t(`status.${status}`)} /> }}
          empty={{ title: t('list.empty'), text: t('list.emptyText') }}
        />
      </Stack>
    </>
  )
}
