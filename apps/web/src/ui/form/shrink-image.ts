import { isHeic } from './heic.ts'

type Options = {
  maxEdge: number
  quality: number
  /** Files up to this size stay unchanged; 0 turns every picture into a JPEG. */
  unchangedBytes: number
}

const decodeInBrowser = (file: File) => createImageBitmap(file, { imageOrientation: 'from-image' })

/** A phone's photo has several megabytes; documents stay readable at this size. */
export const photoSize: Options = { maxEdge: 2000, quality: 0.85, unchangedBytes: 700_000 }

/**
 * Shrinks a photo and turns it upright. A file the browser cannot read, or that would not get smaller, stays unchanged;
 * the server checks it anyway. A HEIC photo always becomes a JPEG. The new file keeps the date of the old one, so that
 * an upload of the same photo is found again after a reload. Only Safari decodes HEIC without `decodeHeic`.
 */
export async function shrinkImage(
  file: File,
  { maxEdge, quality, unchangedBytes } = photoSize,
  decodeHeic = decodeInBrowser,
): Promise<File> {
  const heic = await isHeic(file)
  if (!heic && (!/^image\/(jpeg|png|webp)$/.test(file.type) || file.size <= unchangedBytes)) return file
  let bitmap: ImageBitmap
  try {
    bitmap = await (heic ? decodeHeic(file) : decodeInBrowser(file))
  } catch {
    return file
  }
  try {
    const scale = Math.min(1, maxEdge / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    const context = canvas.getContext('2d')
    if (!context) return file
    // Transparent pixels would turn black in a JPEG.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality))
    if (!blob || (!heic && unchangedBytes > 0 && blob.size >= file.size)) return file
    const { lastModified } = file
    return new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: 'image/jpeg', lastModified })
  } finally {
    bitmap.close()
  }
}
