import { newCanvas } from '#web/ui/canvas.ts'
import 'react-easy-crop/react-easy-crop.css'
import { Alert, Button, Group, Slider, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { useTranslation } from 'react-i18next'
import classes from './photo-field.module.css'

type Props = {
  file: File
  /** Object URL of the file. */
  source: string
  sending: boolean
  problem: string | null
  onUse: (picture: Blob) => void
  onCancel: () => void
}

/** Pixels: sharp enough to print at 3 × 4 cm. */
const width = 750
const height = 1000

/** Draws the chosen area, rotated as in the preview. */
async function cropPicture(file: File, area: Area, rotation: number): Promise<Blob> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const radians = (rotation * Math.PI) / 180
  const boundWidth = Math.abs(Math.cos(radians) * image.width) + Math.abs(Math.sin(radians) * image.height)
  const boundHeight = Math.abs(Math.sin(radians) * image.width) + Math.abs(Math.cos(radians) * image.height)
  const { canvas, context } = newCanvas(width, height)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.scale(width / area.width, height / area.height)
  context.translate(-area.x, -area.y)
  context.translate(boundWidth / 2, boundHeight / 2)
  context.rotate(radians)
  context.drawImage(image, -image.width / 2, -image.height / 2)
  image.close()
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture'))), 'image/jpeg', 0.9),
  )
}

export function PhotoCrop({ file, source, sending, problem, onUse, onCancel }: Props) {
  const { t } = useTranslation('applicants')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [rotation, setRotation] = useState(0)
  const [area, setArea] = useState<Area | null>(null)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)

  return (
    <Stack>
      <Text size="sm">{t('photo.cropHelp')}</Text>
      <div className={classes.stage}>
        <Cropper
          image={source}
          crop={crop}
          zoom={zoom}
          rotation={rotation}
          aspect={3 / 4}
          showGrid={false}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropSizeChange={setSize}
          onCropComplete={(_, pixels) => setArea(pixels)}
        />
        {size && (
          <svg
            viewBox="0 0 90 120"
            width={size.width}
            height={size.height}
            className={classes.guide}
            aria-hidden="true"
          >
            <ellipse cx="45" cy="52" rx="25" ry="34" />
            <line x1="12" x2="78" y1="18" y2="18" />
            <line x1="12" x2="78" y1="86" y2="86" />
          </svg>
        )}
      </div>
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" id="photo-zoom">
          {t('photo.zoom')}
        </Text>
        <Slider
          flex={1}
          min={1}
          max={4}
          step={0.05}
          value={zoom}
          onChange={setZoom}
          label={null}
          thumbLabel={t('photo.zoom')}
        />
        <Button variant="default" onClick={() => setRotation((degrees) => (degrees + 90) % 360)}>
          {t('photo.rotate')}
        </Button>
      </Group>
      {problem && <Alert color="red">{problem}</Alert>}
      <Group>
        <Button
          loading={sending}
          disabled={!area}
          onClick={() => area && void cropPicture(file, area, rotation).then(onUse)}
        >
          {t('photo.use')}
        </Button>
        <Button variant="default" disabled={sending} onClick={onCancel}>
          {t('photo.cancel')}
        </Button>
      </Group>
    </Stack>
  )
}
