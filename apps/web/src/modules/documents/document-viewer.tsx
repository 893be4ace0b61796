import { ActionIcon, Button, Group, Loader, Text } from '@mantine/core'
import { IconRotateClockwise, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { documentContent, viewDocument } from '#domain/documents/endpoints.ts'
import { percent } from '#locales/format.ts'
import { fetchFile, pathOf } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useDownload } from '#web/api/use-download.ts'
import classes from './document-viewer.module.css'

export type ViewerTurn = { zoom: number; rotation: number }
export const uprightAndFitting: ViewerTurn = { zoom: 1, rotation: 0 }
export const zoomBy = (turn: ViewerTurn, step: number): ViewerTurn => ({
  ...turn,
  zoom: Math.min(5, Math.max(0.5, Math.round((turn.zoom + step) * 100) / 100)),
})
export const turnOn = (turn: ViewerTurn): ViewerTurn => ({ ...turn, rotation: (turn.rotation + 90) % 360 })

const contentPath = (documentId: string) => pathOf(documentContent.path, { documentId })

type Props = {
  documentId: string
  /** Part of the query key, because a new version is a new file. */
  version: number
  name: string
  turn: ViewerTurn
  onTurn: (turn: ViewerTurn) => void
  /** Called once the document is visible. */
  onDrawn?: (() => void) | undefined
}

/**
 * One document: a picture by its signed URL, a PDF fetched with the reader's token. The PDF is shown from memory as
 * `application/pdf`, so that its content cannot run as a page of this site.
 */
export function DocumentViewer({ documentId, version, name, turn, onTurn, onDrawn }: Props) {
  const { t } = useTranslation('documents')
  const file = useDownload()
  const { data, error, isPending } = useQuery({
    queryKey: [viewDocument.path, documentId, version],
    queryFn: async () => {
      const { data: signedDocument } = await sendOnce(viewDocument, { params: { documentId } })
      if (signedDocument.kind === 'image') return { ...signedDocument, pdf: null }
      const bytes = await (await fetchFile(contentPath(documentId))).arrayBuffer()
      return { ...signedDocument, pdf: new Blob([bytes], { type: 'application/pdf' }) }
    },
    // Refetches before the signed URL expires after 15 minutes.
    staleTime: 10 * 60_000,
    gcTime: 10 * 60_000,
    refetchOnWindowFocus: false,
    // Offline, fails at once instead of waiting for a connection.
    networkMode: 'always',
  })
  const [address, setAddress] = useState<string | null>(null)
  const pdf = data?.pdf
  useEffect(() => {
    if (!pdf) return setAddress(null)
    const objectUrl = URL.createObjectURL(pdf)
    setAddress(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [pdf])

  const sideways = turn.rotation % 180 !== 0
  return (
    <div className={classes.viewer}>
      <Group gap="xs" className={classes.bar}>
        <Text size="sm" fw={600} className={classes.name}>
          {data?.name ?? name}
        </Text>
        {data?.kind === 'image' && (
          <>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('zoomOut')}
              onClick={() => onTurn(zoomBy(turn, -0.25))}
            >
              <IconZoomOut size={18} />
            </ActionIcon>
            <Button variant="default" size="xs" h={34} onClick={() => onTurn({ ...turn, zoom: 1 })}>
              {turn.zoom === 1 ? t('fit') : percent(turn.zoom)}
            </Button>
            <ActionIcon variant="default" size="lg" aria-label={t('zoomIn')} onClick={() => onTurn(zoomBy(turn, 0.25))}>
              <IconZoomIn size={18} />
            </ActionIcon>
            <ActionIcon variant="default" size="lg" aria-label={t('rotate')} onClick={() => onTurn(turnOn(turn))}>
              <IconRotateClockwise size={18} />
            </ActionIcon>
          </>
        )}
        {data && (
          <Button
            variant="default"
            size="xs"
            h={34}
            loading={file.busy}
            onClick={() => file.start(contentPath(documentId), data.name)}
          >
            {t('download')}
          </Button>
        )}
      </Group>
      <section className={classes.stage} aria-label={t('viewer')} tabIndex={0}>
        {isPending && <Loader aria-label={t('loading')} />}
        {error && (
          <Text role="alert" c="var(--mantine-color-error)">
            {t('cannotOpen')} {error.message}
          </Text>
        )}
        {data?.kind === 'image' && data.url && (
          <div className={classes.picture} style={{ width: `${turn.zoom * 100}%`, height: `${turn.zoom * 100}%` }}>
            <img
              src={data.url}
              alt={data.name}
              onLoad={onDrawn}
              style={{ transform: `rotate(${turn.rotation}deg)${sideways ? ' scale(0.75)' : ''}` }}
            />
          </div>
        )}
        {address && (
          <iframe
            src={`${address}#navpanes=0&view=FitH`}
            title={data?.name ?? name}
            className={classes.pdf}
            onLoad={onDrawn}
          />
        )}
      </section>
    </div>
  )
}
