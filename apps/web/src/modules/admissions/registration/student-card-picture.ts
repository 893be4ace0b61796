import type { Answer } from '#domain/endpoint.ts'
import type { ownCard } from '#domain/students/endpoints.ts'
import { newCanvas } from '#web/ui/canvas.ts'

type StudentCard = Answer<typeof ownCard>['data']

// ISO/IEC 7810 ID-1 at 300 dpi.
const width = 1011
const height = 638
const ink = '#1e1e2d'
const greyInk = '#5e6278'

/** The student card as a PNG of 1011 × 638 pixels. */
export async function pictureOfCard(card: StudentCard, title: string): Promise<Blob> {
  const { canvas, context } = newCanvas(width, height)
  const bandColour = getComputedStyle(document.documentElement).getPropertyValue('--mantine-color-primary-8')
  const write = (
    text: string,
    x: number,
    y: number,
    { size, weight = 400, colour = ink, most = width - x - 40 }: Font,
  ) => {
    context.font = `${weight} ${size}px system-ui, sans-serif`
    context.fillStyle = colour
    context.fillText(text, x, y, most)
  }
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  context.fillStyle = bandColour || ink
  context.fillRect(0, 0, width, 130)
  write(card.university, 40, 62, { size: 40, weight: 700, colour: '#ffffff' })
  write(title, 40, 106, { size: 28, colour: '#ffffff' })
  context.fillStyle = '#eef0f5'
  context.fillRect(40, 170, 300, 400)
  if (card.photo) {
    const photo = new Image()
    photo.src = card.photo
    await photo.decode()
    context.drawImage(photo, 40, 170, 300, 400)
  }
  write(card.name, 380, 215, { size: 38, weight: 700 })
  write(card.npm, 380, 275, { size: 46, weight: 700 })
  const most = 340
  write(card.programme, 380, 340, { size: 28, colour: greyInk, most })
  write(card.faculty, 380, 385, { size: 28, colour: greyInk, most })
  write(card.academicYear, 380, 430, { size: 28, colour: greyInk, most })
  const side = 230
  context.save()
  context.translate(width - side - 40, height - side - 40)
  context.scale(side / card.qr.size, side / card.qr.size)
  context.fillStyle = '#000000'
  context.fill(new Path2D(card.qr.path))
  context.restore()
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture'))), 'image/png'),
  )
}

type Font = { size: number; weight?: number; colour?: string; most?: number }
