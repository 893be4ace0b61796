import fs from 'node:fs/promises'
import zlib from 'node:zlib'
import sharp from 'sharp'

/** Flags that make a Y4M file the picture of every camera. Chromium reads the file whenever a camera is turned on. */
export const cameraFlags = (videoFile: string) => [
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${videoFile}`,
]

const [width, height] = [640, 480]
const frames = 5

/** Shows the QR code of a registration card (PDF) to the camera. */
export async function showCard(videoFile: string, card: Buffer) {
  const luma = await qrOf(card)
    .resize(360, 360, { kernel: 'nearest' })
    .extend({ top: 60, bottom: 60, left: 140, right: 140, background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer()
  const grey = Buffer.alloc((width * height) / 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, grey])
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420mpeg2\n`)
  await fs.writeFile(videoFile, Buffer.concat([head, ...Array.from({ length: frames }, () => frame)]))
}

/** Finds the card's only square colour picture; pdfkit stores its pixels as deflated RGB. */
function qrOf(card: Buffer) {
  const text = card.toString('latin1')
  for (const { 0: object, 1: dictionary = '', index } of text.matchAll(
    /<<([^<>]*\/Subtype \/Image[^<>]*)>>\s*stream\r?\n/g,
  )) {
    const numberOf = (key: string) => Number(new RegExp(`/${key} (\\d+)`).exec(dictionary)?.[1])
    const side = numberOf('Width')
    if (side !== numberOf('Height') || !dictionary.includes('/DeviceRGB')) continue
    const start = index + object.length
    const pixels = zlib.inflateSync(card.subarray(start, start + numberOf('Length')))
    if (pixels.length === side * side * 3) return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
  }
  throw new Error('No QR code on the card')
}
