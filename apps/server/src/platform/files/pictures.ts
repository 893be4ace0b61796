import type { OutputInfo, ResizeOptions } from 'sharp'
import { AppError, type FieldError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

export type Picture = {
  bytes: Buffer
  mime: string
  extension: string
  width: number
  height: number
  thumbnail: Buffer
}

const maxPixels = 60_000_000
const longestSide = 2400
const thumbnailSide = 480
/** Time after which libvips stops working on a picture. */
const timeoutSeconds = 30

/** Loads sharp at the first picture. The pool limits parallel pictures; each uses one core. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  // No picture is processed twice, so the cache would only hold memory.
  sharp.cache(false)
  return sharp
}

/** Re-encodes a picture upright and without metadata (location, device, scripts), and makes a thumbnail. */
export async function redrawPicture(
  bytes: Buffer,
  { minWidth, minHeight }: { minWidth: number; minHeight: number },
  refuse: (error: FieldError) => AppError,
): Promise<Picture> {
  const sharp = await loadSharp()
  try {
    const { width = 0, height = 0, orientation = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > maxPixels) throw refuse('image_too_big')
    const [uprightWidth, uprightHeight] = orientation > 4 ? [height, width] : [width, height]
    if (uprightWidth < minWidth || uprightHeight < minHeight)
      throw refuse({ code: 'image_too_small', params: { width: minWidth, height: minHeight } })
    const upright = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).rotate()
    const picture = await upright
      .clone()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 86 })
      .timeout({ seconds: timeoutSeconds })
      .toBuffer({ resolveWithObject: true })
    const thumbnail = await upright
      .clone()
      .resize({ width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .webp({ quality: 78 })
      .timeout({ seconds: timeoutSeconds })
      .toBuffer()
    return { bytes: picture.data, mime: 'image/jpeg', extension: 'jpg', ...sizeOf(picture.info), thumbnail }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse('file_unreadable')
  }
}

const sizeOf = ({ width, height }: OutputInfo) => ({ width, height })

/** Stored picture as a JPEG of another size. */
export const resizePicture = ({ pictures }: Services, bytes: Buffer, size: ResizeOptions) =>
  pictures(async () => {
    const sharp = await loadSharp()
    const image = sharp(bytes, { limitInputPixels: maxPixels }).resize(size).flatten({ background: '#ffffff' })
    const { data, info } = await image
      .jpeg({ quality: 88 })
      .timeout({ seconds: timeoutSeconds })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, ...sizeOf(info) }
  })
