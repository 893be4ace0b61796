import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconCamera, IconCameraOff } from '@tabler/icons-react'
import { frameLoop, QRCanvas, rearCamera } from 'qr/dom.js'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './door.module.css'

type Props = {
  onText: (text: string) => void
  /** What to point the camera at; by default the registration card. */
  hint?: string
}

/** Milliseconds in which the same code counts as one scan, because a card stays in front of the camera for a while. */
const samePauseMs = 3_000

/** Reads QR codes from the rear camera. The decoder is part of the page's script, so that it works without network. */
export function Scanner({ onText, hint }: Props) {
  const { t } = useTranslation('door')
  const [on, setOn] = useState(false)
  const [failure, setFailure] = useState<'refused' | 'missing' | 'insecure' | null>(null)
  const video = useRef<HTMLVideoElement>(null)
  const listener = useRef(onText)
  listener.current = onText

  useEffect(() => {
    const player = video.current
    if (!on || !player) return
    if (!navigator.mediaDevices) {
      setFailure('insecure')
      setOn(false)
      return
    }
    let stopped = false
    let stop = () => {}
    const start = async () => {
      const camera = await rearCamera(player)
      if (stopped) return camera.stop()
      const canvas = new QRCanvas()
      let lastText = ''
      let lastAt = 0
      const cancel = frameLoop(async () => {
        const text = await camera.readFrame(canvas, true)
        const now = Date.now()
        if (typeof text !== 'string' || stopped) return
        const isNew = text !== lastText || now - lastAt > samePauseMs
        lastText = text
        lastAt = now
        if (isNew) listener.current(text)
      }, player)
      stop = () => {
        cancel()
        camera.stop()
        canvas.clear()
      }
    }
    start().catch((error: Error) => {
      if (stopped) return
      setFailure(error.name === 'NotAllowedError' ? 'refused' : 'missing')
      setOn(false)
    })
    return () => {
      stopped = true
      stop()
    }
  }, [on])

  return (
    <Stack gap="sm">
      {on && (
        <div className={classes.camera}>
          {/* A camera has no sound and no captions. */}
          <video ref={video} className={classes.video} muted playsInline aria-label={t('scanner.picture')} />
          <div className={classes.frame} aria-hidden="true" />
        </div>
      )}
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {t(`scanner.${failure}`)}
        </Alert>
      )}
      <Group>
        <Button
          variant={on ? 'default' : 'filled'}
          leftSection={
            on ? <IconCameraOff size={20} aria-hidden="true" /> : <IconCamera size={20} aria-hidden="true" />
          }
          onClick={() => {
            setFailure(null)
            setOn(!on)
          }}
        >
          {t(on ? 'scanner.off' : 'scanner.on')}
        </Button>
      </Group>
      {!on && (
        <Text size="sm" c="dimmed">
          {hint ?? t('scanner.hint')}
        </Text>
      )}
    </Stack>
  )
}
