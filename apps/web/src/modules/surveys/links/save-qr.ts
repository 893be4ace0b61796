import { newCanvas } from '#web/ui/canvas.ts'

/** Pixels per module, a square of the QR code. Enough for printing. */
const modulePixels = 24
const quietZone = 4

/** Draws a QR code as a PNG file and downloads it. */
export function saveQr({ size, path }: { size: number; path: string }, name: string) {
  const sidePixels = (size + 2 * quietZone) * modulePixels
  const { canvas, context } = newCanvas(sidePixels, sidePixels)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(modulePixels, modulePixels)
  context.translate(quietZone, quietZone)
  context.fillStyle = '#000'
  context.fill(new Path2D(path))
  const link = document.createElement('a')
  link.href = canvas.toDataURL('image/png')
  link.download = name
  link.click()
}
