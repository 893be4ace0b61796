import { Button, Group, Modal, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { downloadSurveyPoster, readSurveyLink } from '#domain/surveys/endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDownload } from '#web/api/use-download.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { Copied } from '#web/ui/text/copied.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { saveQr } from './save-qr.ts'

type Props = { surveyId: string; linkId: string; onClose: () => void }

/** Shows a link's URL and QR code, with buttons to copy the URL and to download the code or a poster. */
export function LinkDialog({ surveyId, linkId, onClose }: Props) {
  const { t } = useTranslation('surveys')
  const { say } = useSurroundings()
  const params = { id: surveyId, linkId }
  const { data, error, refetch } = useEndpoint(readSurveyLink, { params })
  const { busy, start } = useDownload()
  const link = data?.data
  return (
    <Modal
      opened
      onClose={onClose}
      title={link?.name ?? t('links.see')}
      centered
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      {!link ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
      ) : (
        <Stack>
          <svg
            viewBox={`-4 -4 ${link.qr.size + 8} ${link.qr.size + 8}`}
            role="img"
            aria-label={t('links.qr', { url: link.url })}
            style={{ width: 'min(100%, 280px)', alignSelf: 'center' }}
          >
            <rect x={-4} y={-4} width={link.qr.size + 8} height={link.qr.size + 8} fill="#fff" />
            <path d={link.qr.path} fill="#000" shapeRendering="crispEdges" />
          </svg>
          <Copied label={t('links.slug')} value={link.url} />
          <Group>
            <Button variant="default" onClick={() => saveQr(link.qr, `${link.slug}.png`)}>
              {t('links.download')}
            </Button>
            <Button loading={busy} onClick={() => start(pathOf(downloadSurveyPoster.path, params), `${link.slug}.pdf`)}>
              {t('links.poster')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
