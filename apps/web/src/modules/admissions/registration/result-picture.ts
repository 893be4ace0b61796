import { newCanvas } from '#web/ui/canvas.ts'

export type ResultFacts = {
  university: string
  /** "Congratulations, Siti!" */
  hail: string
  /** "You are accepted at" */
  sentence: string
  programme: string
  /** Class and academic year. */
  detail: string
  /** Student number with its name; null before it is issued. */
  number: { label: string; value: string } | null
}

// 4 : 5, which WhatsApp and Instagram show whole.
const width = 1080
const height = 1350
const margin = 90
const ground = '#0b2a4a'
const confetti = ['#009EF7', '#FFB547', '#4CCB86', '#FFFFFF', '#FF8A9C']
const font = (size: number, weight = 400) => `${weight} ${size}px system-ui, sans-serif`

/** The result as a PNG for the family. It holds what the applicant sees on the page, and no other personal data. */
export async function pictureOfResult(facts: ResultFacts): Promise<Blob> {
  const { canvas, context } = newCanvas(width, height)
  const primary = getComputedStyle(document.documentElement).getPropertyValue('--mantine-color-primary-5').trim()
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
  scatter(context)
  context.textAlign = 'center'
  // Lines of different sizes follow each other without touching.
  context.textBaseline = 'top'
  drawCap(context, primary || '#009EF7')
  const { hail, sentence, programme, detail, number, university } = facts
  let y = 430
  const write = (text: string, size: number, weight: number, colour: string, gap: number) => {
    context.fillStyle = colour
    y = drawWrapped(context, text, { y, size, weight }) + gap
  }
  write(hail, 60, 600, '#FFFFFF', 36)
  write(sentence, 38, 400, '#C9D7E6', 20)
  write(programme, 84, 700, '#FFFFFF', 20)
  write(detail, 36, 400, '#C9D7E6', 50)
  if (number) {
    write(number.label, 34, 400, '#C9D7E6', 14)
    write(number.value, 80, 700, '#FFB547', 0)
  }
  context.fillStyle = primary || '#009EF7'
  context.fillRect(margin, height - 170, width - 2 * margin, 4)
  context.fillStyle = '#FFFFFF'
  y = height - 145
  drawWrapped(context, university, { y, size: 42, weight: 700 })
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture'))), 'image/png'),
  )
}

/** Positions are computed, not random, so that all pictures are equal; the middle stays free for the text. */
function scatter(context: CanvasRenderingContext2D) {
  for (let index = 0; index < 70; index++) {
    const [x, y] = [(index * 37.7) % 100, (index * 61.3) % 100]
    if (x > 10 && x < 90 && y > 12) continue
    context.save()
    context.translate((x / 100) * width, (y / 100) * height)
    context.rotate(((index * 47) % 180) * (Math.PI / 180))
    context.fillStyle = confetti[index % confetti.length] ?? '#FFFFFF'
    context.fillRect(-7, -14, 14, 28)
    context.restore()
  }
}

function drawCap(context: CanvasRenderingContext2D, primary: string) {
  context.save()
  context.translate(width / 2 - 112, 190)
  context.scale(7, 7)
  const part = (path: string, colour: string) => {
    context.fillStyle = colour
    context.fill(new Path2D(path))
  }
  part('M16 6 3 12.500l13 6.500 10-5V21h2v-8.500L16 6Z', '#FFFFFF')
  part('M8 17.200V22c0 1.800 3.500 4 8 4s8-2.200 8-4v-4.800l-8 4-8-4Z', primary)
  context.restore()
}

type Line = { y: number; size: number; weight: number }

/** Writes centred lines that fit; a single word wider than the picture is made smaller. Returns the top of the next line. */
function drawWrapped(context: CanvasRenderingContext2D, text: string, { y, size, weight }: Line): number {
  const most = width - 2 * margin
  context.font = font(size, weight)
  let top = y
  for (const line of linesOf(text, (part) => context.measureText(part).width <= most)) {
    context.fillText(line, width / 2, top, most)
    top += size * 1.25
  }
  return top
}

/** Words joined to lines that `fits` accepts; a word that never fits is a line of its own. */
export function linesOf(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && fits(`${last} ${word}`)) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
